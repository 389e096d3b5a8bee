"""One thread for every test, and for the processes that tests start."""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before torch is imported, which most tests never do
