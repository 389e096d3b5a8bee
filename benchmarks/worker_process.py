"""Work in processes of their own, so that what hangs, crashes or fills the memory costs one task and not the run."""

from __future__ import annotations

import multiprocessing
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

Work = Callable[[Any], Any]
Make = Callable[[], Work]  # called once in every process; a function of a module, or a partial of one

CONTEXT = multiprocessing.get_context("spawn")  # a fork would copy the threads of torch half


class LostError(Exception):
    """A task got no answer: its process was over time, or died."""


class Worker:
    """A process that answers one task at a time; a new one takes its place where it is lost.

    >>> from functools import partial
    >>> with Worker(partial(partial, max)) as worker:
    ...     worker.call([1, 3, 2], seconds=60)
    3
    """

    def __init__(self, make: Make) -> None:
        self._make, self.task, self.deadline = make, None, 0.0
        self._start()

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def call(self, task: Any, seconds: float) -> Any:
        """What the work makes of a task; raises LostError."""
        self.begin(task, seconds)
        wait([self.pipe], seconds)
        return self.answer()

    def begin(self, task: Any, seconds: float) -> None:
        """Hand over a task; the seconds count from here, the start of the process aside."""
        if not self._ready:
            self._wait_for_start()
        self.task, self.deadline = task, time.monotonic() + seconds
        self.pipe.send(task)

    def due(self) -> bool:
        """Whether there is an answer, or never will be."""
        return self.pipe.poll() or time.monotonic() >= self.deadline

    def answer(self) -> Any:
        """What came of the task that was begun; raises LostError."""
        try:
            if self.pipe.poll():
                return self.pipe.recv()
            lost = LostError("over time")
        except (EOFError, ConnectionError):
            self._process.join()
            lost = LostError(f"died with exit code {self._process.exitcode}")
        self.end()
        self._start()
        raise lost

    def end(self) -> None:
        """End the process, whatever it is at."""
        self._process.kill()
        self._process.join()
        self.pipe.close()

    def _start(self) -> None:
        self.pipe, theirs = CONTEXT.Pipe()
        self._ready = False
        self._process: BaseProcess = CONTEXT.Process(target=_serve, args=(self._make, theirs), daemon=True)
        self._process.start()
        theirs.close()

    def _wait_for_start(self) -> None:
        try:
            self._ready = self.pipe.recv()
        except EOFError as error:
            raise RuntimeError("a worker process did not start; its own error is above") from error


def spread(make: Make, tasks: Iterable[Any], *, jobs: int, seconds: float) -> Iterator[tuple[Any, Any]]:
    """Each task with its answer, or the LostError, as they are done; `jobs` processes, `seconds` for each task."""
    waiting, idle, busy = iter(tasks), [Worker(make) for _ in range(jobs)], list[Worker]()
    try:
        while True:
            for task in (task for _, task in zip(list(idle), waiting, strict=False)):
                busy.append(idle.pop())
                busy[-1].begin(task, seconds)
            if not busy:
                return
            wait([worker.pipe for worker in busy], max(0.0, min(one.deadline for one in busy) - time.monotonic()))
            for worker in [worker for worker in busy if worker.due()]:
                busy.remove(worker)
                idle.append(worker)
                yield worker.task, _answer(worker)
    finally:
        for worker in idle + busy:
            worker.end()


def _answer(worker: Worker) -> Any:
    try:
        return worker.answer()
    except LostError as lost:
        return lost


def _serve(make: Make, pipe: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's: it ends its workers
    work = make()
    pipe.send(True)
    while True:
        try:
            task = pipe.recv()
        except EOFError:  # the parent is gone
            return
        pipe.send(work(task))
