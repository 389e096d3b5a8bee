"""One thread for every test, and for the processes that tests start; kernels run interpreted unless told otherwise.

Hypothesis tries the same examples every time, however long each takes.
"""

import os

from hypothesis import settings

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before torch is imported, which most tests never do
os.environ.setdefault("TRITON_INTERPRET", "1")  # before triton is imported; with 0 the tests of kernels use the GPU

settings.register_profile("same every time", derandomize=True, deadline=None)
settings.load_profile("same every time")
