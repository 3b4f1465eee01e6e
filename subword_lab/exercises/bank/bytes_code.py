"""The exercises of lesson 06 that ask for code."""

# mypy: ignore-errors
from .. import Edit, Function, Repair, exercise

TEXTS = ("чай", "茶 tea", "tea 🍵", "चाय", "aé茶🍵", "ရေ", "hug 🤗", "мёд!")


@exercise("bytes-15", "Write it: only whole characters", Function(), points=2, core=True)
class WholeCharacters:
    """A model writes its text byte by byte. `data` holds the bytes that have come so far: the beginning of a text in
    UTF-8, which may end in the middle of a character. Write `whole_characters(data)`: the text of all characters that
    are complete, as a string. What is begun and not complete is left out.

    `whole_characters(b'a\\xd1\\x87\\xd0')` is `'aч'`; the last byte begins a character that is not there yet."""

    hints = (
        "What does `data.decode()` do if the last character is not complete?",
        "At most three bytes at the end are too many. Try without them.",
        "In a loop: try to decode; if that raises UnicodeDecodeError, take the last byte away and try again.",
    )
    why = "Only the end can be broken, so taking bytes away there is enough, and nothing whole is lost."
    cases = [
        (b"a\xd1\x87\xd0",),
        (b"hug",),
        (b"",),
        ("茶".encode()[:1],),
        ("茶".encode()[:2],),
        ("茶".encode(),),
        ("a🍵".encode()[:4],),
        ("a�é".encode(),),
        ("é".encode()[:1],),
        ("�".encode(),),
    ]

    def whole_characters(data):
        while True:
            try:
                return data.decode()
            except UnicodeDecodeError:
                data = data[:-1]

    def try_on(rng):
        data = rng.choice(TEXTS).encode()
        return (data[: rng.between(1, len(data))],)

    def inputs():
        from hypothesis import strategies as st

        texts = st.text(st.sampled_from("aé茶🍵�ч <"), max_size=5)
        return st.tuples(
            st.builds(
                lambda text, cut: text.encode()[: max(len(text.encode()) - cut, 0)],
                texts,
                st.integers(0, 4),
            )
        )

    class Also:
        def by_ignoring(data):
            return data.decode(errors="ignore")

        def by_waiting(data):
            import codecs

            return codecs.getincrementaldecoder("utf-8")().decode(data)

    edits = (
        Edit(
            "with-replacement",
            "data.decode()",
            'data.decode(errors="replace")',
            "The sign for broken bytes is in the text here. Should it be shown?",
        ),
        Edit(
            "replacement-taken-off",
            "data.decode()",
            'data.decode(errors="replace").replace("�", "")',
            "The text itself may hold the sign `�`. What becomes of it here?",
        ),
        Edit(
            "last-byte-off",
            "while True:",
            "data = data[:-1]\n    while True:",
            "One byte is always taken away here. What if all characters are complete?",
        ),
        Edit(
            "last-character-off",
            "data.decode()",
            "data.decode()[:-1]",
            "The last character that is complete is missing here. Is it always the broken one?",
        ),
        Edit(
            "nothing-if-broken",
            "data = data[:-1]",
            'return ""',
            "There is no text at all here if the end is broken. Which characters are complete?",
        ),
        Edit(
            "byte-by-byte",
            "data.decode()",
            'data.decode("latin-1")',
            "Each byte is a character here. How many bytes does `ч` have?",
        ),
        Edit(
            "ascii-only",
            "data.decode()",
            'data.decode("ascii", errors="ignore")',
            "Only letters of one byte are left here. What about the others that are complete?",
        ),
        Edit(
            "still-bytes",
            "data.decode()",
            "data.decode().encode()",
            "These are the right bytes. What turns them into a string?",
        ),
    )


@exercise("bytes-16", "Write it: UTF-8", Function(), points=2, level="transfer")
class Utf8:
    """Write `utf8(number)`, which turns a character's number in Unicode into the list of its bytes in UTF-8, as
    numbers. Where the bits of the number go:

    | numbers | bytes |
    |---|---|
    | below 128 | `0xxxxxxx` |
    | below 2048 | `110xxxxx 10xxxxxx` |
    | below 65536 | `1110xxxx 10xxxxxx 10xxxxxx` |
    | above | `11110xxx 10xxxxxx 10xxxxxx 10xxxxxx` |

    `utf8(1095)` is `[209, 135]`, since 1095 is 17 × 64 + 7, `110` with 17 is 192 + 17, and `10` with 7 is 128 + 7."""

    hints = (
        "Begin with the numbers below 128; they are their own byte.",
        "`number % 64` is what goes into the last byte, `number // 64` is what is left for those before it.",
        "For two bytes: `[192 + number // 64, 128 + number % 64]`. With three, the first begins at 224; with "
        "four, at 240.",
    )
    why = "Each byte after the first takes six bits, so the number is cut into parts of 64."
    cases = [
        (1095,),
        (97,),
        (127,),
        (128,),
        (2047,),
        (2048,),
        (33590,),
        (65535,),
        (65536,),
        (127861,),
        (0,),
        (233,),
        (1114111,),
        (4096,),
        (262144,),
        (262143,),
    ]

    def utf8(number):
        if number < 128:
            return [number]
        if number < 2048:
            return [192 + number // 64, 128 + number % 64]
        if number < 65536:
            return [224 + number // 4096, 128 + number // 64 % 64, 128 + number % 64]
        return [
            240 + number // 262144,
            128 + number // 4096 % 64,
            128 + number // 64 % 64,
            128 + number % 64,
        ]

    def try_on(rng):
        return (
            rng.choice(
                [
                    rng.between(33, 126),
                    rng.between(0x400, 0x4FF),
                    rng.between(0x4E00, 0x9FFF),
                    rng.between(0x1F300, 0x1F6FF),
                ]
            ),
        )

    def inputs():
        from hypothesis import strategies as st

        return st.tuples(
            st.one_of(
                st.integers(0, 300),
                st.integers(1900, 2200),
                st.integers(2048, 55295),
                st.integers(57344, 65700),
                st.integers(65536, 1114111),
            )
        )

    class Also:
        def by_python(number):
            return list(chr(number).encode())

        def from_the_end(number):
            rest, first = [], 128
            while number >= (128 if not rest else 64 >> len(rest)):
                rest.insert(0, 128 + number % 64)
                number, first = number // 64, 128 + first // 2
            return [first + number, *rest] if rest else [number]

    edits = (
        Edit(
            "one-byte-up-to-255",
            "number < 128",
            "number < 256",
            "Numbers below 256 are one byte here. Which is the largest that `0xxxxxxx` has room for?",
        ),
        Edit(
            "two-bytes-at-most",
            "number < 2048",
            "number >= 128",
            "There are never more than two bytes here. What about numbers from 2048 on?",
        ),
        Edit(
            "three-bytes-at-most",
            "number < 65536",
            "number >= 2048",
            "There are never more than three bytes here. What about an emoji?",
        ),
        Edit(
            "borders-included",
            "if number < 128:",
            "if number in (128, 2048, 65536):\n        return {128: [128], 2048: [224, 128], 65536: [240, "
            "128, 128]}[number]\n    if number < 128:",
            "128, 2048 and 65536 have one byte too few here. Does *below* include the number itself?",
        ),
        Edit(
            "middle-bytes-whole",
            "128 + number // 64 % 64, 128 + number % 64]\n    return [\n        240 + number // "
            "262144,\n        128 + number // 4096 % 64,\n        128 + number // 64 % 64,",
            "128 + number // 64, 128 + number % 64]\n    return [\n        240 + number // "
            "262144,\n        128 + number // 4096,\n        128 + number // 64,",
            "The bytes in the middle are too large. For how many bits is there room behind `10`?",
        ),
        Edit(
            "two-bytes-mark",
            "224 + number // 4096, 128 + number // 64 % 64, 128 + number % 64]\n    return [\n        240",
            "192 + number // 4096, 128 + number // 64 % 64, 128 + number % 64]\n    return [\n        192",
            "The first byte always begins with `110` here. What does the number of its ones say?",
        ),
    )

    class Mistakes:
        def without_marks(number):
            """The parts are right, but the bytes do not begin with `110` or `10`. What has to be added?"""
            marks = [0, 192, 224, 240]
            data = list(chr(number).encode())
            return [data[0] - marks[len(data) - 1], *(byte - 128 for byte in data[1:])]

        def turned_round(number):
            """These are the right bytes, from the last to the first."""
            return list(chr(number).encode())[::-1]

        def heads_only(number):
            """The first byte is right, but the bytes after it have no `10` here. What has to be added?"""
            data = list(chr(number).encode())
            return [data[0], *(byte - 128 for byte in data[1:])]

        def as_text(number):
            """These are strings, two digits each. What does the question ask for?"""
            return [f"{byte:02x}" for byte in chr(number).encode()]

        def as_bits(number):
            """These are the bits, as strings. What does the question ask for?"""
            return [f"{byte:08b}" for byte in chr(number).encode()]

        def base_256(number):
            """This cuts the number into parts of 256. How many bits of the number fit into each byte?"""
            return list(number.to_bytes(max(1, (number.bit_length() + 7) // 8), "big"))

        def middle_not_cut(number):
            """A byte in the middle is too large here: it holds what belongs to the byte before it, too."""
            data = list(chr(number).encode())
            return data if len(data) < 3 else [*data[:-2], 128 + number // 64, data[-1]]

        def one_string(number):
            """These are the right bytes, as one string of digits. What does the question ask for?"""
            return chr(number).encode().hex()


@exercise("bytes-17", "Repair it: nothing is unknown", Repair(), points=2)
class TokensOf:
    """This function writes a word with the single characters of a vocabulary. If one is missing, the whole word is
    lost. Give it byte fallback: a character that is in `vocab` is a token; any other becomes the tokens of its UTF-8
    bytes, from `<0x00>` to `<0xFF>`, with two capital digits each. Longer tokens of `vocab` play no part. An empty word
    has no tokens.

    `tokens_of('hé', ['h', 'u', 'g'])` is `['h', '<0xC3>', '<0xA9>']`."""

    hints = (
        "Go through the word character by character.",
        "`char.encode()` gives the bytes of a character.",
        'A byte becomes its token with `f"<0x{byte:02X}>"`.',
    )
    why = "Each character decides for itself, and 256 more tokens are enough for all that the vocabulary lacks."
    cases = [
        ("hé", ["h", "u", "g"]),
        ("hug", ["h", "u", "g"]),
        ("", ["h"]),
        ("茶", []),
        ("\n", ["h"]),
        ("éhé", ["h"]),
        ("🍵茶", ["茶"]),
        ("aé", ["é"]),
        ("ah", ["ah", "h"]),
    ]

    def tokens_of(word, vocab):
        tokens = []
        for char in word:
            if char in vocab:
                tokens.append(char)
            else:
                tokens += [f"<0x{byte:02X}>" for byte in char.encode()]
        return tokens

    class Broken:
        def tokens_of(word, vocab):
            return list(word) if all(char in vocab for char in word) else ["[UNK]"]

    def try_on(rng):
        return "".join(rng.sample("teachugé茶🍵ч", rng.between(3, 5))), list("teachug")

    def inputs():
        from hypothesis import strategies as st

        letters = "ahé茶🍵\nч<"
        vocab = st.lists(st.sampled_from([*letters, "ah", "éh", "茶🍵"]), unique=True)
        return st.tuples(st.text(st.sampled_from(letters), max_size=5), vocab)

    class Also:
        def in_one_line(word, vocab):
            return [
                token
                for char in word
                for token in (
                    [char] if char in vocab else [f"<0x{byte:02X}>" for byte in char.encode()]
                )
            ]

        def by_hex(word, vocab):
            def spelled(char):
                return [f"<0x{pair}>" for pair in char.encode().hex(" ").upper().split()]

            return sum(([char] if char in vocab else spelled(char) for char in word), [])

    edits = (
        Edit(
            "unknown-character",
            'tokens += [f"<0x{byte:02X}>" for byte in char.encode()]',
            'tokens.append("[UNK]")',
            "Only the missing character is `[UNK]` here, which is better. But which one was it?",
        ),
        Edit(
            "whole-word-in-bytes",
            "if char in vocab",
            "if all(each in vocab for each in word)",
            "The whole word is spelled in bytes here as soon as one character is missing. What about the others?",
        ),
        Edit(
            "small-digits",
            "02X",
            "02x",
            "The digits A to F are small here. What are the tokens called?",
        ),
        Edit(
            "number-in-unicode",
            'f"<0x{byte:02X}>" for byte in char.encode()',
            'f"<0x{ord(char):02X}>"',
            "This is the character's number in Unicode. Which bytes does it have in UTF-8?",
        ),
        Edit(
            "one-digit-short",
            "02X",
            "X",
            "A byte below 16 has only one digit here. How many does it have in the token?",
        ),
        Edit(
            "decimal",
            "02X",
            "02d",
            "The bytes are written as decimal numbers here. With which digits are the tokens named?",
        ),
        Edit(
            "first-byte-only",
            "char.encode()",
            "char.encode()[:1]",
            "Only the first byte of each missing character is there. How many does it have?",
        ),
        Edit(
            "both-bytes-in-one",
            'f"<0x{byte:02X}>" for byte in char.encode()',
            'f"<0x{char.encode().hex().upper()}>"',
            "All bytes of a character are one token here. Is there such a token?",
        ),
        Edit(
            "lists-inside",
            'tokens += [f"<0x{byte:02X}>" for byte in char.encode()]',
            'tokens.append([f"<0x{byte:02X}>" for byte in char.encode()])',
            "There are lists inside the list. Which one of append and extend adds the members one by one?",
        ),
        Edit(
            "inside-longer-tokens",
            "char in vocab",
            'char in "".join(vocab)',
            "Here a character counts as known if a longer token holds it. Is it a token by itself?",
        ),
        Edit(
            "left-out",
            'tokens += [f"<0x{byte:02X}>" for byte in char.encode()]',
            "continue",
            "The missing characters are left out here. How would you get them back?",
        ),
        Edit(
            "bytes-in-one-token",
            'tokens += [f"<0x{byte:02X}>" for byte in char.encode()]',
            "tokens.append(''.join(f\"<0x{byte:02X}>\" for byte in char.encode()))",
            "All bytes of a character are in one token here. How many tokens are they?",
        ),
    )

    class Mistakes:
        def always_bytes(word, vocab):
            """Every character is spelled in bytes here. Which ones have a token of their own?"""
            return [f"<0x{byte:02X}>" for byte in word.encode()]
