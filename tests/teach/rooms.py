"""A live room for tests: a clock that is set by hand, messages of learners, and the room on the network."""

import asyncio
import threading
from contextlib import contextmanager

from subword_lab_teach.room import serving


class Clock:
    """A clock that is set by hand."""

    now = 1000.0

    def __call__(self):
        return self.now


@contextmanager
def opened(room, port=0):
    """The room on the network, in a thread; its address."""
    loop, ready, ports = asyncio.new_event_loop(), threading.Event(), []

    async def work():
        async with serving(room, port=port) as taken:
            ports.append(taken)
            ready.set()
            while ready.is_set():
                await asyncio.sleep(0.01)

    thread = threading.Thread(target=lambda: loop.run_until_complete(work()))
    thread.start()
    assert ready.wait(10)
    try:
        yield f"http://127.0.0.1:{ports[0]}/"
    finally:
        ready.clear()
        thread.join()
        loop.close()


def event(n, kind="attempt", **more):
    return {
        "n": n,
        "kind": kind,
        "exercise": "bpe-01",
        "outcome": "incorrect",
        "label": "once-per-word",
        "message": "Look again.",
        "question": "How often?",
        "answer": "3",
        **more,
    }


def message(*events, name="Kim", key=1, session="a"):
    return {"name": name, "key": f"{key:032x}", "session": session, "events": list(events)}
