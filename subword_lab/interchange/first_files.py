"""GPT-2's two files and BERT's one, as they were first handed round.

`vocab.json` says the id of each token and `merges.txt` has a merge a line, first learned first; `vocab.txt` has a token
a line, whose number, from 0, is its id.
"""

from ..arguments import check
from ..normalization import Replace
from ..parts import Parts
from ..text import byte_alphabet
from ..wordpiece import WordPieceModel
from .reading import (
    Path,
    bpe_model,
    by_place,
    check_ids,
    check_pieces,
    of_type,
    parse_json,
    read_bytes,
    reading,
)

END = "<|endoftext|>"
SPACES_BEHIND = Replace(r"\s+\z", "", pattern=True)
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")


def read_gpt2_files(vocab_json: Path, merges_txt: Path) -> Parts:
    """A byte-level BPE tokenizer, cut as GPT-2 cuts. Raises ValueError if the files are damaged or do not agree."""
    with reading(vocab_json):
        ids = check_ids(of_type(parse_json(read_bytes(vocab_json)), dict, "the file"))
        if missing := [char for char in byte_alphabet() if char not in ids]:
            raise ValueError(
                f"{len(missing)} of the 256 characters that stand for bytes are not in it, such as "
                f"{missing[0]!r}"
            )
        special = (END,) * (END in ids)
    with reading(merges_txt):
        first, *lines = _lines(merges_txt)
        merges = lines if first.startswith("#version") else [first, *lines]
        model = bpe_model(ids, filter(None, merges), special)
    with reading(vocab_json):
        return Parts(
            model, ids, special, schemes=("byte-level",), spelling="bytes", decoder="bytes"
        )


def read_wordpiece_vocab(vocab_txt: Path, *, lowercase: bool = True) -> Parts:
    """BERT's tokenizer with these tokens. Raises ValueError if the file is damaged, or has no token `[UNK]`."""
    with reading(vocab_txt):
        # White space behind a token is none of it; a token that is nothing else stays.
        tokens = [SPACES_BEHIND(line) or line for line in _lines(vocab_txt)]
        ids = by_place(tokens)
        check_pieces(tokens)
        check("[UNK]" in ids, "there is no [UNK] in it; is this a BERT vocabulary?")
        special = tuple(token for token in SPECIAL if token in ids)
        around = {"[CLS]", "[SEP]"} <= ids.keys()
        steps = ("clean", "space-chinese", *(("strip-accents", "lowercase") if lowercase else ()))
        return Parts(
            WordPieceModel([token for token in tokens if token not in special]),
            ids,
            special,
            normalization=steps,
            schemes=("bert",),
            unknown="[UNK]",
            before=("[CLS]",) * around,
            after=("[SEP]",) * around,
            decoder="wordpiece-tidy",
        )


def _lines(path: Path) -> list[str]:
    return read_bytes(path).decode("utf-8").replace("\r\n", "\n").removesuffix("\n").split("\n")
