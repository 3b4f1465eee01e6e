"""Tokenizers trained by the libraries themselves, and texts on which they and we have to agree."""

import functools
import io
import random
import tempfile
import unicodedata
from pathlib import Path

import pytest
import tokenizers
from tokenizers import (
    AddedToken,
    Regex,
    decoders,
    models,
    normalizers,
    pre_tokenizers,
    processors,
    trainers,
)

from subword_lab import Tokenizer, text
from subword_lab.interchange import patterns
from subword_lab.interchange.patterns import PATTERNS
from subword_lab.interchange.sentencepiece_model import fields

# What is likely to tell two tokenizers apart: spaces, accents, letters that change their length, marks, emoji.
ODD = [
    *" \n\t\r.,'-_@#0123456789aeinst▁Ġ²½ßİΣςǅﬁÅ①Ⅷ",
    "  ",
    "'ll",
    " '",
    "é",
    "\u0301",
    "\u0323",
    "\u00a0",
    "\u2009",
    "\u3000",
    "\u200b",
    "\u200d",
    "\ufe0f",
    "가",
    "각",
    "\u1100",
    "\u1161",
    "🤗",
    "👩‍👩‍👧",
    "မ",
    "ြ",
    "\u1031",
    "हि",
    "\u093f",
    "猫",
    "ё",
    "中文",
]


def random_texts(count, seed=1, version=None):
    """Texts of up to 30 odd or any characters; those that Python's Unicode knows, so that normalization is the same."""
    rng = random.Random(seed)

    def char():
        if rng.random() < 0.6:
            return rng.choice(ODD)
        found = chr(
            rng.choice(
                [
                    rng.randrange(0x20, 0x250),
                    rng.randrange(0x3000),
                    rng.randrange(0x3000, 0xD800),
                    rng.randrange(0x1F300, 0x1FA00),
                ]
            )
        )
        return found if unicodedata.category(found) not in ("Cn", "Co") else "?"

    return ["".join(char() for _ in range(rng.randint(0, 30))) for _ in range(count)]


def languages():
    """The sentences that come with the package, in four languages."""
    return [
        sentence for sentences in text.load_texts("parallel").values() for sentence in sentences
    ]


def trained_by_tokenizers(lines, vocab_size=2000):
    """Name -> a tokenizer of the tokenizers library, trained on these lines: one for each way in which parts differ."""

    def train(
        model,
        trainer,
        normalizer=None,
        pre=None,
        post=None,
        decoder=None,
        add=(),
        limits=(),
        **options,
    ):
        made = tokenizers.Tokenizer(model)
        for name, part in [
            ("normalizer", normalizer),
            ("pre_tokenizer", pre),
            ("post_processor", post),
            ("decoder", decoder),
        ]:
            if part is not None:
                setattr(made, name, part)
        made.train_from_iterator(
            lines, trainer(show_progress=False, **{"vocab_size": vocab_size, **options})
        )
        made.add_tokens([*add])
        for name, limit in dict(limits).items():
            getattr(made, name)(**limit)
        return made

    def special(*tokens, normalized=False, **options):
        return [
            AddedToken(token, special=True, normalized=normalized, **options) for token in tokens
        ]

    def template(single, pair, **ids):
        return processors.TemplateProcessing(single, pair, special_tokens=[*ids.items()])

    BPE, byte_level, alphabet = (
        trainers.BpeTrainer,
        pre_tokenizers.ByteLevel,
        pre_tokenizers.ByteLevel.alphabet(),
    )
    bert = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    fallback = [f"<0x{byte:02X}>" for byte in range(256)]
    around = processors.TemplateProcessing(
        "[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    return {
        "GPT-2": train(
            models.BPE(),
            BPE,
            pre=byte_level(False),
            decoder=decoders.ByteLevel(),
            initial_alphabet=alphabet,
            special_tokens=["<|endoftext|>"],
        ),
        "RoBERTa": train(
            models.BPE(),
            BPE,
            pre=byte_level(True),
            decoder=decoders.ByteLevel(),
            post=processors.ByteLevel(trim_offsets=True),
            initial_alphabet=alphabet,
        ),
        "Llama 3": train(
            models.BPE(ignore_merges=True),
            BPE,
            normalizer=normalizers.NFC(),
            pre=pre_tokenizers.Sequence(
                [
                    pre_tokenizers.Split(Regex(PATTERNS["llama-3"]), "isolated"),
                    byte_level(False, use_regex=False),
                ]
            ),
            decoder=decoders.ByteLevel(),
            initial_alphabet=alphabet,
        ),
        "Llama 2": train(
            models.BPE(byte_fallback=True, fuse_unk=True, unk_token="<unk>"),
            BPE,
            normalizer=normalizers.Sequence(
                [normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")]
            ),
            decoder=decoders.Sequence(
                [
                    decoders.Replace("▁", " "),
                    decoders.ByteFallback(),
                    decoders.Fuse(),
                    decoders.Strip(" ", 1, 0),
                ]
            ),
            special_tokens=["<unk>", "<s>", "</s>", *fallback],
            vocab_size=800,
            limit_alphabet=60,
        ),
        "words, unknown one by one": train(
            models.BPE(unk_token="[UNK]"),
            BPE,
            pre=pre_tokenizers.Whitespace(),
            normalizer=normalizers.Lowercase(),
            special_tokens=["[UNK]"],
            limit_alphabet=40,
        ),
        "words, unknown in runs": train(
            models.BPE(unk_token="[UNK]", fuse_unk=True),
            BPE,
            special_tokens=["[UNK]"],
            normalizer=normalizers.Sequence([normalizers.NFD(), normalizers.Strip()]),
            pre=pre_tokenizers.WhitespaceSplit(),
            limit_alphabet=40,
        ),
        "end of word": train(
            models.BPE(unk_token="<unk>", end_of_word_suffix="</w>"),
            BPE,
            special_tokens=["<unk>"],
            pre=pre_tokenizers.BertPreTokenizer(),
            end_of_word_suffix="</w>",
            decoder=decoders.BPEDecoder("</w>"),
            limit_alphabet=60,
        ),
        "BERT": train(
            models.WordPiece(unk_token="[UNK]"),
            trainers.WordPieceTrainer,
            special_tokens=bert,
            post=around,
            normalizer=normalizers.BertNormalizer(),
            pre=pre_tokenizers.BertPreTokenizer(),
            decoder=decoders.WordPiece(),
            limit_alphabet=60,
        ),
        "Unigram": train(
            models.Unigram(),
            trainers.UnigramTrainer,
            normalizer=normalizers.NFKC(),
            unk_token="<unk>",
            pre=pre_tokenizers.Metaspace(),
            decoder=decoders.Metaspace(),
            special_tokens=["<unk>", "<s>"],
        ),
        "T5": train(
            models.Unigram(),
            trainers.UnigramTrainer,
            unk_token="<unk>",
            special_tokens=["<unk>", "<s>"],
            normalizer=normalizers.Replace(Regex(" {2,}"), " "),
            decoder=decoders.Metaspace(),
            pre=pre_tokenizers.Sequence(
                [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace()]
            ),
        ),
        **_as_published(train, special, template, vocab_size),
    }


def _as_published(train, special, template, vocab_size):
    """Tokenizers in the form of well-known ones whose files ask for more."""
    BPE, byte_level = trainers.BpeTrainer, pre_tokenizers.ByteLevel
    in_bytes = {"decoder": decoders.ByteLevel(), "initial_alphabet": byte_level.alphabet()}
    marks = special("<s>", "<pad>", "</s>", "<unk>")
    spaces = [AddedToken(" " * count, normalized=True) for count in range(8, 1, -1)]
    fallback = [f"<0x{byte:02X}>" for byte in range(256)]
    table = normalizers.Precompiled(charsmap())
    around = template("<s> $A </s>", "<s> $A </s> </s> $B </s>", **{"<s>": 0, "</s>": 2})

    def split(pattern):
        return pre_tokenizers.Split(Regex(pattern), "isolated")

    def unigram(normalizer, pre, post, **options):
        return train(
            models.Unigram(),
            trainers.UnigramTrainer,
            normalizer,
            pre,
            post,
            decoders.Metaspace(),
            **{
                "unk_token": "<unk>",
                "special_tokens": marks,
                "add": special("<mask>", lstrip=True),
                **options,
            },
        )

    clip = Regex(patterns.CLIP)
    return {
        "GPT-NeoX": train(
            models.BPE(),
            BPE,
            normalizers.NFC(),
            byte_level(False),
            processors.ByteLevel(trim_offsets=True),
            special_tokens=special("<|endoftext|>"),
            add=spaces,
            **in_bytes,
        ),
        "ModernBERT": train(
            models.BPE(),
            BPE,
            normalizers.NFC(),
            byte_level(False),
            template(
                "[CLS]:0 $A:0 [SEP]:0",
                "[CLS]:0 $A:0 [SEP]:0 $B:1 [SEP]:1",
                **{"[CLS]": 0, "[SEP]": 1},
            ),
            special_tokens=[*special("[CLS]", "[SEP]"), *special("[MASK]", lstrip=True)],
            add=spaces,
            limits={"enable_truncation": {"max_length": 20}},
            **in_bytes,
        ),
        "BART": train(
            models.BPE(),
            BPE,
            None,
            byte_level(False),
            processors.RobertaProcessing(
                ("</s>", 2), ("<s>", 0), trim_offsets=True, add_prefix_space=False
            ),
            special_tokens=[*marks, *special("<mask>", lstrip=True, rstrip=True)],
            **in_bytes,
        ),
        "sentence-transformers": train(
            models.WordPiece(unk_token="[UNK]", max_input_chars_per_word=9),
            trainers.WordPieceTrainer,
            normalizers.BertNormalizer(),
            pre_tokenizers.BertPreTokenizer(),
            template("[CLS] $A [SEP]", "[CLS] $A [SEP] $B:1 [SEP]:1", **{"[CLS]": 2, "[SEP]": 3}),
            decoders.WordPiece(),
            special_tokens=special("[PAD]", "[UNK]", "[CLS]", "[SEP]"),
            limit_alphabet=60,
            limits={
                "enable_truncation": {"max_length": 12, "direction": "left"},
                "enable_padding": {"length": 12, "direction": "left"},
            },
        ),
        "XLM-R": unigram(
            normalizers.Sequence(
                [table, normalizers.Strip(False, True), normalizers.Replace(Regex(" {2,}"), "▁")]
            ),
            pre_tokenizers.Metaspace(),
            around,
        ),
        "ALBERT": unigram(
            normalizers.Sequence(
                [
                    normalizers.Replace("``", '"'),
                    normalizers.NFKD(),
                    normalizers.StripAccents(),
                    normalizers.Lowercase(),
                    table,
                ]
            ),
            pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace()]),
            around,
        ),
        "XLNet": unigram(
            normalizers.Sequence(
                [
                    normalizers.NFKD(),
                    normalizers.StripAccents(),
                    table,
                    normalizers.Replace(Regex(" {2,}"), " "),
                ]
            ),
            pre_tokenizers.Metaspace(),
            template(
                "$A:0 <pad>:0 <s>:2", "$A:0 <pad>:0 $B:1 <pad>:1 <s>:2", **{"<pad>": 1, "<s>": 0}
            ),
        ),
        "Gemma": train(
            models.BPE(byte_fallback=True, fuse_unk=True, unk_token="<unk>"),
            BPE,
            normalizers.Replace(" ", "▁"),
            pre_tokenizers.Split(" ", "merged_with_previous"),
            None,
            decoders.Sequence(
                [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()]
            ),
            special_tokens=[*special("<unk>"), *fallback],
            vocab_size=800,
            limit_alphabet=60,
            add=[AddedToken("▁" * count, normalized=False) for count in (2, 3, 4)],
        ),
        "CLIP": train(
            models.BPE(unk_token="<|endoftext|>", end_of_word_suffix="</w>"),
            BPE,
            normalizers.Sequence(
                [
                    normalizers.NFC(),
                    normalizers.Replace(Regex(r"\s+"), " "),
                    normalizers.Lowercase(),
                ]
            ),
            pre_tokenizers.Sequence(
                [pre_tokenizers.Split(clip, "removed", invert=True), byte_level(False)]
            ),
            processors.RobertaProcessing(
                ("<|endoftext|>", 0), ("<|startoftext|>", 1), False, False
            ),
            special_tokens=special("<|endoftext|>", "<|startoftext|>"),
            end_of_word_suffix="</w>",
            **in_bytes,
        ),
        "StarCoder": train(
            models.BPE(),
            BPE,
            None,
            pre_tokenizers.Sequence([pre_tokenizers.Digits(True), byte_level(False)]),
            special_tokens=special("<|endoftext|>"),
            **in_bytes,
        ),
        **{
            f"cut by {pattern}": train(
                models.BPE(),
                BPE,
                None,
                pre_tokenizers.Sequence(
                    [
                        split(pattern),
                        pre_tokenizers.Digits(False),
                        pre_tokenizers.Punctuation("contiguous"),
                        byte_level(False, use_regex=False),
                    ]
                ),
                special_tokens=special("<|endoftext|>"),
                **in_bytes,
            )
            for pattern in text.file_patterns()
            if not pattern.replace("-", "").isalpha()
        },
        "added tokens": train(
            models.BPE(unk_token="[UNK]"),
            BPE,
            normalizers.NFKC(),
            pre_tokenizers.Whitespace(),
            special_tokens=special("[UNK]"),
            add=[
                AddedToken("12", normalized=True),
                AddedToken("a b", normalized=True, lstrip=True),
                AddedToken("in", single_word=True, normalized=False),
                AddedToken("tea", single_word=True, normalized=True, rstrip=True),
            ],
        ),
    }


@functools.cache
def charsmap():
    """The table of replacements of sentencepiece's models."""
    model = dict(fields(trained_by_sentencepiece(languages())))
    return dict(fields(model[3]))[2]


WHAT = "ids tokens offsets type_ids attention_mask special_tokens_mask word_ids".split()


def differs(ours, theirs, string):
    """What the two say of a text: nothing if it is the same, else the first thing that is not.

    The library takes every special token in a text as such, so here they are allowed.
    """
    encoding, reference = ours.encode(string, allowed_special="all"), theirs.encode(string)
    for what in WHAT:
        if getattr(encoding, what) != getattr(reference, what):
            return what, string, getattr(encoding, what), getattr(reference, what)
    decoded = ours.decode(encoding.ids), theirs.decode(reference.ids)
    return None if decoded[0] == decoded[1] else ("decoded", string, *decoded)


def loaded(tokenizer):
    """A tokenizer, ours or the library's, saved by whose it is and loaded by us."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "tokenizer.json")
        tokenizer.save(str(path))
        return Tokenizer.load(path)


def from_model(data):
    """Our tokenizer of a file of sentencepiece with these bytes."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "m.model")
        path.write_bytes(data)
        return Tokenizer.from_sentencepiece(path)


def processor(data):
    """The same tokenizer in sentencepiece, where it is installed."""
    sentencepiece = pytest.importorskip("sentencepiece")
    return sentencepiece.SentencePieceProcessor(model_proto=data)


def trained_by_sentencepiece(lines, **options):
    """The bytes of a model that sentencepiece trains on these lines."""
    sentencepiece, file = pytest.importorskip("sentencepiece"), io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(lines),
        model_writer=file,
        minloglevel=2,
        **{"vocab_size": 1000, "hard_vocab_limit": False, **options},
    )
    return file.getvalue()


SENTENCEPIECE = {
    "unigram": {},
    "bpe": {"model_type": "bpe"},
    "unigram, bytes": {"byte_fallback": True, "vocab_size": 1300},
    "bpe, bytes": {"model_type": "bpe", "byte_fallback": True, "vocab_size": 1500},
    "as it is": {"normalization_rule_name": "identity", "remove_extra_whitespaces": False},
    "no space in front": {
        "model_type": "bpe",
        "add_dummy_prefix": False,
        "user_defined_symbols": ["<sep>", "ing"],
    },
    "lowercase": {"normalization_rule_name": "nfkc_cf", "user_defined_symbols": "@-@"},
}


def differs_from_sentencepiece(ours, processor, string):
    """As `differs`. Its offsets are of bytes; empty places, the first spaces of a run, and parts of one
    character are known differences."""
    encoding = ours.encode(string, disallowed_special=())
    message = processor.encode(string, return_type="serialized_proto")
    pieces = [dict(fields(value)) for number, value in fields(message) if number == 2]
    ids = [piece.get(2, 0) for piece in pieces]
    if encoding.ids != ids:
        return "ids", string, encoding.ids, ids
    # In the order of the ids: token, start, end. An unknown token has its own text in one of the two alone.
    theirs = [(piece[1].decode(), piece.get(4, 0), piece.get(5, 0)) for piece in pieces]
    found = [
        (
            token if id == processor.unk_id() else piece.token,
            len(string[: piece.start].encode()),
            len(string[: piece.end].encode()),
        )
        for id, piece, (token, _, _) in zip(ids, encoding.pieces, theirs)
    ]
    whole = (
        unicodedata.normalize("NFKC", string).casefold() == string
    )  # no character becomes several
    data = string.encode()
    different = [
        (mine, other)
        for mine, other in zip(found, theirs)
        if mine != other
        and other[1] != other[2]
        and not (mine[2] == other[2] and data[other[1] : mine[1]].decode().isspace())
    ]
    if different and whole and not ours.parts.byte_fallback:
        return "offsets", string, different
    decoded = ours.decode(encoding.ids), processor.decode(ids)
    return (
        None
        if processor.unk_id() in ids or decoded[0] == decoded[1]
        else ("decoded", string, *decoded)
    )
