"""A letter to learners: when and where, and what to install and to try before the day."""

COURSE = "subword-lab[lab]"
LETTER = """Dear learners,

our workshop on subword tokenization:

    When:  {day}, for {minutes} minutes
    Where: {address}

{before}
See you then!
"""
INSTALL = """Please do this on your own computer before the day. It takes about ten minutes.

1. If you have no Python 3.11 or later, install one: https://www.python.org/downloads
2. Open a terminal and install the course:

    python3 -m venv tokens
    tokens/bin/python -m pip install "{course}"

   On Windows, write py -m venv tokens, and then tokens\\Scripts\\ in place of tokens/bin/ here and below.
3. See whether everything is there:

    tokens/bin/subword-lab doctor

   A line with a cross (✗) names something that the course needs, and what to do about it. A line with a dash (-) can
   be ignored. If you get stuck, send me what was printed.
4. Open the course once, and close it again with Ctrl-C in the terminal:

    tokens/bin/subword-lab open

On the day, open it the same way.
"""
HUB = """There is nothing to install. Please open that address once before the day, in Firefox, Chrome, Edge or Safari,
and sign in under the name that I have for you. Your own copy of the lessons opens by itself. If it has not after two
minutes, tell me what you see.
"""


def letter(day: str, minutes: int, address: str, *, hub: bool = False, course: str = COURSE) -> str:
    """The letter, as text. day: when, in words. address: where. hub: whether that is the address of a JupyterHub.

    course: what pip is to install, such as "subword-lab[lab] @ git+https://..." where no index has the package.

    >>> letter("Tuesday at nine", 90, "room 5").splitlines()[4]
    '    When:  Tuesday at nine, for 90 minutes'
    """
    return LETTER.format(
        day=day,
        minutes=minutes,
        address=address,
        before=HUB if hub else INSTALL.format(course=course),
    )
