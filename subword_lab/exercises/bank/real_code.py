"""The exercises of lesson 07 that ask for code."""

# mypy: ignore-errors
import re

from .. import Edit, Function, Gap, Lines, Mistake, exercise


@exercise("real-23", "Fill in: the first special token", Gap(lines=(5, 7)), points=2)
class FirstSpecial:
    """Complete `first_special(text, special)`: which special token comes first in the text, and `None` if none does.
    Where two begin at the same place, it is the longer one. Two lines are missing.

    `first_special("hug<e>pug<s>", ["<s>", "<e>"])` is `"<e>"`."""

    hints = (
        "The first missing line finds a place, and the second chooses among the tokens that begin there.",
        "`text.index(token)` is the first place of one token. Of all those places, which one is wanted?",
        "`min(...)` over the tokens that were found; and `max(..., key=len)` is the longest of several.",
    )
    why = "What begins first is cut out first; of two that begin together, the longer one."
    cases = [
        ("hug<e>pug<s>", ["<s>", "<e>"]),
        ("hug<e>pug<s>", ["<e>", "<s>"]),
        ("a<e>>b", ["<e>", "<e>>"]),
        ("a<e>>b", ["<e>>", "<e>"]),
        ("<e>b<e>>", ["<e>>", "<e>"]),
        ("hug", ["<e>"]),
        ("", []),
        ("aa<e>b", ["aa", "<e>"]),
        ("b<e>aa", ["aa", "<e>"]),
    ]

    def first_special(text, special):
        found = [token for token in special if token in text]
        if not found:
            return None
        place = min(text.index(token) for token in found)
        here = [token for token in found if text.startswith(token, place)]
        return max(here, key=len)

    def inputs():
        from hypothesis import strategies as st

        special = st.lists(
            st.sampled_from(["<e>", "<e>>", "<", "[S]", ">[S]", "aa"]), max_size=4, unique=True
        )
        parts = st.sampled_from(["<e>", "<e>>", "<", "[S]", ">", "a", "aa", "b"])
        return st.tuples(st.lists(parts, max_size=5).map("".join), special)

    class Also:
        def place_by_place(text, special):
            for place in range(len(text)):
                for token in sorted(special, key=len, reverse=True):
                    if text.startswith(token, place):
                        return token
            return None

        def sorted_once(text, special):
            found = sorted((text.find(token), -len(token), token) for token in special)
            return next((token for place, _, token in found if place >= 0), None)

    edits = (
        Edit(
            "first-of-the-list",
            "min(text.index(token) for token in found)",
            "text.index(found[0])",
            "You look for the token that comes first in the list. Which one comes first in the text?",
        ),
        Edit(
            "last-in-the-text",
            "min(text.index",
            "max(text.index",
            "This is the one that begins last. Which of the places is wanted?",
        ),
        Edit(
            "beginning-of-the-text",
            "min(text.index(token) for token in found)",
            "min(place for place in range(len(text)) if text.startswith(found[-1], place))",
            "You look for the token that comes last in the list. Which one comes first in the text?",
        ),
        Edit(
            "shorter-one",
            "max(here, key=len)",
            "min(here, key=len)",
            "Where two begin at the same place, this is the shorter one. Which is asked for?",
        ),
        Edit(
            "first-of-those-here",
            "max(here, key=len)",
            "here[0]",
            "Where two begin at the same place, the order of the list decides here. What should decide?",
        ),
        Edit(
            "last-of-those-here",
            "max(here, key=len)",
            "here[-1]",
            "Where two begin at the same place, the order of the list decides here. What should decide instead?",
        ),
        Edit(
            "longest-anywhere",
            "max(here, key=len)",
            "max(found, key=len)",
            "This is the longest one in the text, wherever it stands. Among which tokens do you choose?",
        ),
        Edit(
            "place-returned",
            "return max(here, key=len)",
            "return place",
            "This is the place. Which token stands there?",
        ),
        Edit(
            "all-of-them",
            "return max(here, key=len)",
            "return here",
            "This is the list of all that begin there. Which one of them is asked for?",
        ),
    )


@exercise("real-24", "Put it in order: a chat template", Lines(), points=2)
class AChatTemplate:
    """`render(messages, asks)` writes a conversation as one text, as the template of the lesson does: the mark of the
    beginning, each message with who says it, and, if `asks` is true, the beginning of an answer.

    `render([{"role": "user", "content": "Hi"}], True)` is
    `"<|begin|><|start|>user\\nHi<|end|>\\n<|start|>assistant\\n"`."""

    hints = (
        "What is written once in front, what for each message, and what once behind them all?",
        "A message begins with who says it. The words and the mark of its end follow.",
        "The `if` and its line come when the loop is over, and `return` is the very last.",
    )
    why = "The answer is asked for when all messages have been written; then the text ends."
    cases = [
        ([{"role": "user", "content": "Hi"}], True),
        (
            [
                {"role": "system", "content": "Be brief."},
                {"role": "user", "content": "Is tea a verb?"},
            ],
            True,
        ),
        ([{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Yes?"}], False),
        ([], True),
        ([], False),
    ]

    def render(messages, asks):
        text = "<|begin|>"
        for message in messages:
            text += "<|start|>" + message["role"] + "\n"
            text += message["content"] + "<|end|>\n"
        if asks:
            text += "<|start|>assistant\n"
        return text

    def inputs():
        from hypothesis import strategies as st

        words = st.text("ab <", max_size=5)
        roles = st.sampled_from(["system", "user", "assistant"])
        message = st.fixed_dictionaries({"role": roles, "content": words})
        return st.tuples(st.lists(message, max_size=3), st.booleans())

    orders = (
        Mistake(
            "begun-too-late",
            "2345617",
            "The loop adds to a text that is not there yet. Where does the text begin?",
        ),
        Mistake(
            "returned-too-early",
            "1723456",
            "`return` comes before the loop, and a function ends there. What has been written by then?",
        ),
        Mistake(
            "words-before-who",
            "1243567",
            "The words of a message come before the line that says whose they are. What does a model read first?",
        ),
        Mistake(
            "asked-too-early",
            "1562347",
            "The answer begins before anybody has said anything. When is the model asked?",
        ),
        Mistake(
            "words-asked-for",
            "1235467",
            "The last words are written only where an answer is asked for. Which line belongs to the loop?",
        ),
    )


@exercise("real-14", "Write it: cut out the special tokens", Function(), points=2, core=True)
class CutSpecial:
    """Write `cut_special(text, special)`. `special` is a list of special tokens, none of them empty. The result is the
    list of pieces that make up the text: special tokens, and what lies between them. There is no empty piece. Look for
    special tokens from left to right; where two of them begin at the same place, it is the longer one.

    `cut_special('hug<e>pug', ['<e>'])` is `['hug', '<e>', 'pug']`."""

    hints = (
        "At each place of the text: does a special token begin here?",
        "Collect ordinary characters in a string until a special token begins; then put both into the list.",
        "`text.startswith(token, place)` tells; try the longest special tokens first.",
    )
    why = "Special tokens are cut out before anything else looks at the text, so no merge can reach into them."
    cases = [
        ("hug<e>pug", ["<e>"]),
        ("", ["<e>"]),
        ("<e><e>", ["<e>"]),
        ("hug", []),
        ("a<e", ["<e>"]),
        ("a<e><e>>b", ["<e>", "<e>>"]),
        ("<e>[S]", ["<e>", ">[S]"]),
        ("a<e>>", ["<e>>", "<e>"]),
    ]

    def cut_special(text, special):
        pieces, ordinary, place = [], "", 0
        while place < len(text):
            found = [token for token in special if text.startswith(token, place)]
            if found:
                token = max(found, key=len)
                pieces += [ordinary, token]
                ordinary = ""
                place += len(token)
            else:
                ordinary += text[place]
                place += 1
        return [piece for piece in [*pieces, ordinary] if piece]

    def try_on(rng):
        words = rng.sample(["hug", "pug", "кот", "a b", "<", "tea"], 2)
        return words[0] + "<|end|>" + words[1] + "<|end|>" * rng.between(1, 2), [
            "<|end|>",
            "<|start|>",
        ]

    def inputs():
        from hypothesis import strategies as st

        special = st.lists(
            st.sampled_from(["<e>", "<e>>", "<", "[S]", ">[S]", "aa"]), max_size=3, unique=True
        )
        text = st.lists(
            st.sampled_from(["a", "b", "<e>", "<e>>", ">", "[S]", "aa", " ", "猫", "."]), max_size=8
        )
        return st.tuples(text.map("".join), special)

    class Also:
        def by_pattern(text, special):
            if not special:
                return [text] if text else []
            longest = sorted(special, key=len, reverse=True)
            return [
                piece
                for piece in re.split("(" + "|".join(map(re.escape, longest)) + ")", text)
                if piece
            ]

        def by_find(text, special):
            pieces = []
            while text:
                places = [
                    (text.find(token), -len(token), token) for token in special if token in text
                ]
                place, _, token = min(places, default=(len(text), 0, ""))
                pieces += [text[:place], token]
                text = text[place + len(token) :]
            return [piece for piece in pieces if piece]

    edits = (
        Edit(
            "special-left-out",
            "[ordinary, token]",
            "[ordinary]",
            "The special tokens are missing from this list. Are they not pieces of the text?",
        ),
        Edit(
            "empty-pieces-kept",
            "[piece for piece in [*pieces, ordinary] if piece]",
            "[*pieces, ordinary]",
            "There are empty pieces in this list, as splitting leaves them. Does the question want them?",
        ),
        Edit(
            "shortest-wins",
            "max(found",
            "min(found",
            "Where two special tokens begin at the same place, this takes the shorter one. Which is asked for?",
        ),
        Edit(
            "first-one-only",
            "if found:",
            "if found and not pieces:",
            "Only the first special token is cut out here. What about those further on?",
        ),
        Edit(
            "single-characters",
            "ordinary += text[place]",
            "pieces.append(text[place])",
            "What lies between special tokens comes in single characters here. Is that one piece?",
        ),
        Edit(
            "in-the-order-given",
            "max(found, key=len)",
            "found[0]",
            "Where two special tokens begin at the same place, this takes the one that comes first in the list.",
        ),
        Edit(
            "empty-pattern",
            'pieces, ordinary, place = [], "", 0\n',
            'pieces, ordinary, place = [], "", 0\n    if not special:\n        return list(text)\n',
            "Without special tokens, the text comes in single characters here. Where does an empty pattern match?",
        ),
        Edit(
            "nothing-without-special",
            'pieces, ordinary, place = [], "", 0\n',
            'pieces, ordinary, place = [], "", 0\n    if not special:\n        return []\n',
            "Without special tokens, nothing is left of the text here. Which pieces make it up then?",
        ),
    )

    class Mistakes:
        def longest_first(text, special):
            """The longest special token is cut out first here, wherever it stands. Which one comes first?"""
            pieces = [text]
            for token in sorted(special, key=len, reverse=True):
                pieces = [
                    part
                    for piece in pieces
                    for part in (
                        [piece] if piece in special else re.split(f"({re.escape(token)})", piece)
                    )
                ]
            return [piece for piece in pieces if piece]

        def not_escaped(text, special):
            """A sign such as `[` means something in a pattern. How can you say that it stands for itself?"""
            longest = sorted(special, key=len, reverse=True)
            return (
                [piece for piece in re.split("(" + "|".join(longest) + ")", text) if piece]
                if special
                else ([text] if text else [])
            )

        def nothing_cut(text, special):
            """This is the whole text as one piece. Does it hold a special token?"""
            return [text] if text else []


@exercise("real-15", "Write it: read merges.txt", Function(), points=2)
class ReadMerges:
    """Write `read_merges(content)`. `content` is the text of a `merges.txt`: one merge a line, two tokens with one
    space between them. If the first line begins with `#version`, it is no merge; only then. Empty lines are left out.
    The result is a list of pairs, in the order of the file; lists of two are fine, too.

    `read_merges('#version: 0.2\\nh u\\nhu g\\n')` is `[('h', 'u'), ('hu', 'g')]`."""

    hints = (
        "What are the lines, and which of them are no merges?",
        "`content.split('\\n')` gives the lines; look at the first one by itself.",
        "`tuple(line.split(' '))` makes a pair of a line; `#` may be a token like any other.",
    )
    why = "The order of the lines is the order of learning, so it has to be kept, and only a version line is skipped."
    cases = [
        ("#version: 0.2\nh u\nhu g\n",),
        ("h u\nhu g",),
        ("",),
        ("# #\n#version x\n",),
        ("#version: 0.2\n# a\n",),
        ("# #version\nh u\n",),
    ]

    def read_merges(content):
        lines = content.split("\n")
        if lines[0].startswith("#version"):
            lines = lines[1:]
        return [tuple(line.split(" ")) for line in lines if line]

    def try_on(rng):
        merges = rng.sample(["h u", "u g", "Ġ t", "t h", "# #", "п о"], 3)
        return ("#version: 0.2\n" * rng.between(0, 1) + "\n".join(merges) + "\n",)

    def inputs():
        from hypothesis import strategies as st

        token = st.sampled_from(["h", "ug", "#", "#version", "Ġ", "猫", "</w>", "##"])
        line = st.one_of(st.tuples(token, token).map(" ".join), st.just(""))
        first = st.sampled_from(
            ["#version: 0.2\n", "", "#version: 0.1 - trained\n", "\n", "# #version\n"]
        )
        return st.tuples(st.tuples(first, st.lists(line, max_size=5).map("\n".join)).map("".join))

    class Also:
        def by_enumerate(content):
            return [
                tuple(line.split(" "))
                for number, line in enumerate(content.split("\n"))
                if line and not (number == 0 and line.startswith("#version"))
            ]

        def by_partition(content):
            if content[:8] == "#version":
                content = content.partition("\n")[2]
            return [
                (line.partition(" ")[0], line.partition(" ")[2])
                for line in content.split("\n")
                if line != ""
            ]

    edits = (
        Edit(
            "version-is-a-merge",
            '    if lines[0].startswith("#version"):\n        lines = lines[1:]\n',
            "",
            "The line with the version is taken for a merge here. Is it one?",
        ),
        Edit(
            "first-line-always-dropped",
            'if lines[0].startswith("#version"):\n        lines',
            "lines",
            "The first line is missing even where it is a merge. When is it to be left out?",
        ),
        Edit(
            "first-hash-dropped",
            'startswith("#version")',
            'startswith("#")',
            "A first line that begins with `#` is always left out here. May it not be a merge?",
        ),
        Edit(
            "every-hash-dropped",
            "if line]",
            'if line and not line.startswith("#")]',
            "Lines that begin with `#` are missing. May `#` not be a token?",
        ),
        Edit(
            "empty-lines-kept",
            " if line]",
            "]",
            "There is an entry for an empty line. Is that a merge?",
        ),
        Edit(
            "left-and-right-changed",
            'tuple(line.split(" "))',
            'tuple(line.split(" "))[::-1]',
            "In each pair the right token comes first. In which order do they stand in the file?",
        ),
        Edit(
            "lines-not-cut",
            'tuple(line.split(" "))',
            "line",
            "These are the lines that hold a merge. Which two tokens does each consist of?",
        ),
        Edit(
            "version-anywhere",
            "if line]",
            'if line and not line.startswith("#version")]',
            "Lines that begin with `#version` are missing wherever they stand. Where is it no merge?",
        ),
        Edit(
            "joined",
            'tuple(line.split(" "))',
            'line.replace(" ", "")',
            "These are the tokens that the merges make. Which two are joined?",
        ),
        Edit(
            "sorted-merges",
            '[tuple(line.split(" ")) for line in lines if line]',
            'sorted(tuple(line.split(" ")) for line in lines if line)',
            "These merges are sorted. What does the order of the file say?",
        ),
        Edit(
            "sorted-once-each",
            '[tuple(line.split(" ")) for line in lines if line]',
            'sorted({tuple(line.split(" ")) for line in lines if line})',
            "These merges are sorted, and each is there once. What does the order of the file say?",
        ),
    )


@exercise("real-16", "Write it: token healing", Function(), points=2, level="transfer")
class Heal:
    """Write `heal(tokens, vocab)` for a prompt's tokens, at least one, and a list of all tokens. It takes the last
    token away and returns two things: the tokens that are left, and a list of the tokens with which the model may go
    on, which are all those in `vocab` that begin with the text of the token taken away, in the order of `vocab`.

    `heal(['http', ':'], ['h', ':', '//', '://'])` is `(['http'], [':', '://'])`."""

    hints = (
        "Which token is taken away, and which are left?",
        "A token that replaces it must begin with its text.",
        "`tokens[:-1]`, and of the vocabulary each token that `startswith(tokens[-1])`.",
    )
    why = "The text of the prompt stays as it was; only the edge is left open, so that a longer token can cover it."
    cases = [
        (["http", ":"], ["h", ":", "//", "://"]),
        (["a"], ["b", "a", "ab", "ba"]),
        (["a", "b"], []),
        (["a", "a"], ["aa", "a"]),
        (["h"], ["Hug", "hug"]),
    ]

    def heal(tokens, vocab):
        edge = tokens[-1]
        return tokens[:-1], [token for token in vocab if token.startswith(edge)]

    def try_on(rng):
        vocab = rng.shuffle(["un", "u", "ug", "hug", "hugs", "h", "s", "unhug"])
        return rng.sample(["un", "h", "hug", "u"], 2), vocab

    def inputs():
        from hypothesis import strategies as st

        token = st.sampled_from(["a", "b", "ab", "ba", "aba", "ca", "Ġ", "Ġa", "猫", "."])
        return st.tuples(
            st.lists(token, min_size=1, max_size=4), st.lists(token, max_size=8, unique=True)
        )

    class Also:
        def by_slices(tokens, vocab):
            *kept, edge = tokens
            return kept, [token for token in vocab if token[: len(edge)] == edge]

        def by_filter(tokens, vocab):
            return list(tokens)[: len(tokens) - 1], list(
                filter(lambda token: token.find(tokens[-1]) == 0, vocab)
            )

    edits = (
        Edit(
            "nothing-taken-away",
            "tokens[:-1]",
            "tokens",
            "All tokens of the prompt are still there. Which one is taken away?",
        ),
        Edit(
            "longer-ones-only",
            "token.startswith(edge)",
            "token.startswith(edge) and token != edge",
            "The token itself is missing from the list. May the model not choose it again?",
        ),
        Edit(
            "anywhere",
            "token.startswith(edge)",
            "edge in token",
            "Here are tokens that hold the text somewhere. Where must it stand?",
        ),
        Edit(
            "capitals-ignored",
            "token.startswith(edge)",
            "token.lower().startswith(edge.lower())",
            "Here are tokens that begin with the text in other capitals. Would the prompt stay as it was?",
        ),
        Edit(
            "the-other-way-round",
            "token.startswith(edge)",
            "edge.startswith(token)",
            "These are the tokens that the one taken away begins with. Which should begin with which?",
        ),
        Edit(
            "first-token",
            "tokens[-1]\n    return tokens[:-1]",
            "tokens[0]\n    return tokens[1:]",
            "This takes the first token away. At which end is the edge?",
        ),
        Edit(
            "in-the-alphabet",
            "[token for token in vocab if token.startswith(edge)]",
            "sorted(token for token in vocab if token.startswith(edge))",
            "These are sorted. Which order does the question ask for?",
        ),
        Edit(
            "endings",
            "startswith",
            "endswith",
            "These tokens end with that text. Where must it stand?",
        ),
    )
