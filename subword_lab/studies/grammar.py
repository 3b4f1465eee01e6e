"""Output that is held to a grammar: which tokens a model may write next.

Source: Brandon Willard and Rémi Louf, "Efficient Guided Generation for Large Language Models" (2023), who work the
answers out in advance; here every token is simply tried.
"""

import re
from collections.abc import Callable, Iterable

Rule = Callable[[str], bool]
VALUE = "(true|false|0|[1-9][0-9]*)"
BEGUN = "(t|tr|tru|f|fa|fal|fals)"
WHOLE = rf"\[({VALUE}(,{VALUE})*)?\]"
UNFINISHED = rf"(\[|\[({VALUE},)*({VALUE}|{BEGUN})|\[({VALUE},)+)?"


def may_begin(string: str) -> bool:
    """Whether a list of true, false and whole numbers in JSON, without spaces, can begin with this.

    >>> [may_begin(string) for string in ("", "[tr", "[true,1", "[01", "[tru,", "[1]", "[1]]")]
    [True, True, True, False, False, True, False]
    """
    return re.fullmatch(f"{WHOLE}|{UNFINISHED}", string) is not None


def allowed(vocab: Iterable[str], written: str, fits: Rule = may_begin) -> list[str]:
    """The tokens that may come next: those after which the text can still become one of the language.

    written: the text so far. fits: whether a text of the language can begin with a string.

    >>> allowed(["true", "tr", "ue", "false", "1", "]", ",1"], "[tr"), allowed(["true", "ue", "]", ",1"], "[1")
    (['ue'], [']', ',1'])
    """
    return [token for token in vocab if token and fits(written + token)]
