"""Notebooks that are broken, endless or hostile, and what must become of each: its own row suffers, and nothing else.

A case's cells stand between a right answer to bpe-01 (1 point) and one to bpe-02 (1 point), so `points` says which of
the two must still count. None does harm even where nothing stops it: what is endless ends after a minute, processes are
few dozens and short-lived, files to be destroyed are ones that the test made for it.
"""

import io
import zipfile
from dataclasses import dataclass

ALL_FDS = """
import os
def shout(line):
    for fd in range(3, 40):
        try:
            if not os.get_blocking(fd) or os.isatty(fd):
                continue
            os.write(fd, line + b"\\n")
        except OSError:
            pass
"""


@dataclass(frozen=True)
class Case:
    """Cells, what they are worth to the two exercises, and a pattern of the row's remarks and of the errors in it."""

    name: str
    cells: tuple[str, ...]
    points: tuple[float, float] = (1, 1)
    words: str = "^$"  # none


def case(name, *cells, **due):
    return Case(name, cells, **due)


CELLS = [
    case(
        "fails",
        "1 / 0",
        "def f(:\n    pass",
        "raise SystemExit",
        "exit()",
        "def f():\n    f()\nf()",
        words=r"cell 3 failed \(ZeroDivisionError: .* and 4 more; "
        "ZeroDivisionError SyntaxError SystemExit SystemExit RecursionError$",
    ),
    case(
        "magics",
        "%matplotlib inline\n!exit 1\nhelp?\n%%time",
        "%%bash\nexit 1",
        "n = %time 5\n%timeit -n1 1 / 0\nassert n == 5\n7",
        "%%writefile 'helper.py'\nseven = 7",
        "%%writefile -a helper.py\n\neight = 8",
        "%%capture told\nprint('hug')\n1",
        "%%timeit\nn = 0",
        "assert told.stdout == 'hug\\n' and told.stderr == ''",
        "%%time\n8",
        "9;",
        "assert _ == 8",
        "from helper import eight, seven\nassert eight == 8\nfrom IPython import get_ipython\n"
        "get_ipython().system('ls')\n"
        "assert (_5, Out[5], n, seven) == (7, 7, 5, 7)",
        "import asyncio\nawait asyncio.sleep(0)",
        "asyncio.get_event_loop()",
        "get_ipython().system('ls')\ndisplay(1)",
    ),
    case("endless", "while True:\n    pass", words=r"cell 3 failed \(CellTimeout"),
    case(
        "always-on",  # first by its name, as the next: others are marked while these two are waited for
        "import time\nend = time.time() + 60\nwhile time.time() < end:\n    try:\n        time.sleep(60)\n"
        "    except BaseException:\n        pass",
        points=(1, 0),
        words="stopped in cell 3, the whole notebook was still running",
    ),
    case(
        "asleep-in-c",
        "import signal\nsignal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])\n"
        "import time\ntime.sleep(60)",
        points=(1, 0),
        words="stopped in cell 3",
    ),
    case(
        "os-exit",
        "import os\nos._exit(0)",
        points=(1, 0),
        words="stopped in cell 3, it ended its own process",
    ),
    case(
        "crash",
        "import ctypes\nctypes.string_at(0)",
        points=(1, 0),
        words="it ended its own process",
    ),
    case(
        "kills-all",
        "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)",
        points=(1, 0),
        words="ended its own",
    ),
    case(
        "memory",
        "x = bytearray(10 ** 11)",
        "open('x', 'wb').truncate(10 ** 9)",
        "for i in range(300):\n    open(f'/tmp/{i}', 'wb').write(b'x' * 10 ** 6)",
        words=r"cell 3 failed \(MemoryError.*; MemoryError OSError OSError$",
    ),
    case(
        "memory-slowly",
        "x = []\nfor i in range(60):\n    x.append(bytearray(10 ** 8))",
        words="MemoryError|memory|CellTimeout",
    ),
    case(
        "fork-bomb",
        "import os, time\nfor i in range(90):\n    if not os.fork():\n        time.sleep(30)\n"
        "        os._exit(0)",
        "import time\ntime.sleep(2)",
        points=None,
        words="BlockingIOError|too many processes",
    ),
    case("forked-copy", "import os\nos.fork()"),
    case("prints-without-end", "while True:\n    print('x' * 1000)", words="CellTimeout"),
    case(
        "prints-gigabytes",
        "for i in range(2000):\n    print('x' * 10 ** 6)",
        words="^$|CellTimeout",
    ),
    case(
        "floods",
        ALL_FDS + "for i in range(100):\n    shout(b'x' * 10 ** 6)",
        points=(1, 0),
        words="it sent more|ended its own",
    ),
    case(
        "leaves-things-behind",
        ALL_FDS + "shout(b'{' * 10 ** 6)",
        "from threading import Thread\nimport time\nfor i in range(9):\n"
        "    Thread(target=time.sleep, args=(30,)).start()",
        "import subprocess\nsubprocess.Popen(['sleep', '31.4159'], start_new_session=True)",
        "import asyncio\nawait asyncio.sleep(0)",
    ),
]

FORGERIES = [  # each leaves bpe-02 wrong: forging must not make it right
    case(
        "forged-points",
        ALL_FDS
        + """
import json
about = {"exercise": "bpe-02", "seed": 7, "learner": "forged-points", "turn": 0}
shout(json.dumps({"is": "Answer", **about, "form": "value", "value": "q+q"}).encode())
shout(json.dumps({"is": "Answer", **about, "form": "value", "value": "q+q", "score": 1, "label": ""}).encode())
shout(json.dumps({"is": "Feedback", **about, "score": 1, "outcome": "correct"}).encode())
""",
    ),
    case(
        "forged-nonsense",
        ALL_FDS
        + """
import json
about = {"is": "Answer", "exercise": "bpe-02", "seed": 7, "learner": "", "turn": 0, "form": "value"}
for message in (1, [], {}, {"is": "Answer"}, {"is": ["Answer"]}, {**about, "form": "right"},
                {**about, "exercise": "bpe"}, {**about, "exercise": []}, {**about, "learner": "q" * 10 ** 6},
                {**about, "seed": 10 ** 30}, {**about, "seed": True}, {**about, "turn": -1},
                {**about, "form": "function"}, {"is": "Stage", "name": "ready"},
                {"is": "Cell", "number": "x"}, {"is": "Cell", "number": 99}, {"is": "Cell"},
                {"is": "Run", "outcome": "ok", "results": [{}]}, {"is": "Run", "outcome": "ok"},
                {**about, "value": {"tuple": 1}}, {**about, "value": {"fraction": ["1e999999999", 1]}},
                {**about, "value": "q" * 10 ** 6}, about):
    shout(json.dumps(message).encode())
""",
    ),
    case(
        "patched-check",
        """
import subword_lab.exercises.instance as core
core.Instance._judge = core.Instance.judge = lambda self, *_: core.Feedback("correct", 1.0, "Right.", exercise=self.id)
load("bpe-02").check("q+q")
""",
    ),
    case(
        "patched-bank",
        """
import dataclasses
from subword_lab import exercises
exercises._bank["bpe-02"] = dataclasses.replace(exercises._bank["bpe-02"], points=1000, answer=lambda v: [("q", "q")])
load("bpe-02").check("q+q")
""",
    ),
    case(
        "equals-everything",
        """
class Everything(str):
    def __eq__(self, other):
        return True
    __hash__ = str.__hash__
load("bpe-02").check(Everything("q+q"))
""",
    ),
    case(
        "object-equals-everything",
        """
class Everything:
    def __eq__(self, other):
        return True
load("bpe-02").check(Everything())
""",
    ),
    case("endless-number", "load('bpe-01').check('1e999999999')"),
    case("nested-answer", "x = []\nfor i in range(100000):\n    x = [x]\nload('bpe-02').check(x)"),
    case("long-answer", "load('bpe-02').check('q+' * 10 ** 6)"),
    case("all-answers", "ex = load('bpe-01')\nfor i in range(5000):\n    ex.check(i)"),
    case(
        "patched-run",
        """
import sys
from subword_lab.running import Result, Run
def patch(run):
    for name, module in list(sys.modules.items()):
        if name.endswith("running") or name.endswith("running.function"):
            module.run = run
patch(lambda *_, **__: Run("ok", []))
load("bpe-16").check(lambda symbols, pair: 0)
patch(lambda f, cases, **_: Run("ok", [Result("not run")] * len(cases)))
load("bpe-16").check(lambda symbols, pair: 1)
patch(lambda f, cases, **_: Run("ok", [Result("value", ["q"])] * 500))
load("bpe-16").check(lambda symbols, pair: 2)
patch(lambda f, cases, **_: None)
load("bpe-16").check(lambda symbols, pair: 3)
""",
    ),
]


def zipped(name, data):
    return zipped_all({name: data})


def zipped_all(members, method=zipfile.ZIP_DEFLATED):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return file.getvalue()


FILES = {  # name of a file in the folder -> its bytes, and words of the remark
    "empty.ipynb": (b"", "the file is empty"),
    "corrupt.ipynb": (b'{"nbformat": 4, "cells": [', "it is damaged"),
    "binary.ipynb": (bytes(range(256)) * 10, "it is damaged"),
    "other.ipynb": (b"[1, 2, 3]", "it is not a notebook"),
    "deep.ipynb": (b"[" * 200_000, "it is nested too deep"),
    "number.ipynb": (b'{"cells": ' + b"1" * 100_000 + b"}", "it is damaged"),
    "old.ipynb": (b'{"nbformat": 3, "worksheets": []}', "it has an old format"),
    "cells.ipynb": (
        b'{"cells": [' + b'{"cell_type": "code", "source": "1"}, ' * 6000 + b"0]}",
        "it has more than 5,000 cells",
    ),
    "bomb.zip": (zipped("a.ipynb", bytes(60_000_000)), "it is larger than 50 MB"),
    "other-bomb.zip": (zipped_all({"a.ipynb": bytes(10**7)}, zipfile.ZIP_BZIP2), "pack it again"),
    "broken.zip": (b"PK\x03\x04" + bytes(50), "it cannot be read (BadZipFile"),
    "nothing.zip": (zipped("a.txt", "x"), "there is no notebook in the zip file"),
}
