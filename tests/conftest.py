"""One thread for every test, and for the processes that tests start; kernels run interpreted unless told otherwise."""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before torch is imported, which most tests never do
os.environ.setdefault("TRITON_INTERPRET", "1")  # before triton is imported; with 0 the tests of kernels use the GPU
