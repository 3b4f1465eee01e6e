"""Tokenizers of well-known models, as their makers published them, or as code that runs the models has them.

Makers change their models; each row says of which year it speaks, and where that can be read. Models whose makers
have published nothing about their tokenizer are not in the table. Where the package quicktok-v1 carries the vocabulary,
its size and its ids were checked with it; all else is as published.
"""

from typing import NamedTuple


class Published(NamedTuple):
    """What is known of a model's tokenizer.

    tokens: the size of the vocabulary, as the source gives it. words: how a text is cut before. unknown: what becomes
    of a character that is in no token. source: where it is said, with a link. vocabulary: the name under which its
    tokens could be checked, see `Tokenizer.from_vocabulary`; empty where no file was at hand.
    """

    model: str
    year: int
    algorithm: str
    tokens: str
    words: str
    unknown: str
    source: str
    link: str
    vocabulary: str = ""


BYTES, FALLBACK = "nothing: all bytes are tokens", "spelled in byte tokens"

MODELS = (
    Published(
        "BERT (uncased)",
        2018,
        "WordPiece",
        "30,522",
        "spaces and marks, lower case",
        "[UNK], a whole word",
        "Google's repository, vocab_size",
        "https://github.com/google-research/bert",
    ),
    Published(
        "GPT-2",
        2019,
        "BPE on bytes",
        "50,257",
        "GPT-2's pattern",
        BYTES,
        "tiktoken 0.14.0, gpt2",
        "https://github.com/openai/tiktoken",
    ),
    Published(
        "XLM-R",
        2019,
        "Unigram (SentencePiece)",
        "250K",
        "spaces, as ▁",
        "<unk>",
        "Conneau and others",
        "https://arxiv.org/abs/1911.02116",
    ),
    Published(
        "GPT-4",
        2023,
        "BPE on bytes",
        "ids up to 100,276",
        "cl100k: digits in threes",
        BYTES,
        "tiktoken 0.14.0, cl100k_base",
        "https://github.com/openai/tiktoken",
        "cl100k_base",
    ),
    Published(
        "Llama 2",
        2023,
        "BPE (SentencePiece)",
        "32,000",
        "spaces, as ▁; single digits",
        FALLBACK,
        "Touvron and others",
        "https://arxiv.org/abs/2307.09288",
    ),
    Published(
        "GPT-4o",
        2024,
        "BPE on bytes",
        "ids up to 200,018",
        "o200k: by capitals, digits in threes",
        BYTES,
        "tiktoken 0.14.0, o200k_base",
        "https://github.com/openai/tiktoken",
        "o200k_base",
    ),
    Published(
        "Llama 3",
        2024,
        "BPE on bytes",
        "128,256, 256 of them special",
        "as cl100k, but for white space",
        BYTES,
        "Meta's repository",
        "https://github.com/meta-llama/llama3",
        "llama3",
    ),
    Published(
        "DeepSeek-V3",
        2024,
        "BPE on bytes",
        "128K",
        "a pattern of its own",
        BYTES,
        "technical report",
        "https://arxiv.org/abs/2412.19437",
    ),
    Published(
        "Qwen 2",
        2024,
        "BPE on bytes",
        "151,643 and 3 control tokens",
        "as Llama 3, but single digits",
        BYTES,
        "technical report",
        "https://arxiv.org/abs/2407.10671",
        "qwen3",
    ),
    Published(
        "Gemma 3",
        2025,
        "BPE (SentencePiece)",
        "262K",
        "spaces kept; single digits",
        FALLBACK,
        "technical report",
        "https://arxiv.org/abs/2503.19786",
    ),
    Published(
        "Llama 4",
        2025,
        "BPE on bytes",
        "202,048, 2,048 of them special",
        "o200k",
        BYTES,
        "Meta's repository llama-models",
        "https://github.com/meta-llama/llama-models/blob/main/models/llama4/tokenizer.py",
    ),
    Published(
        "GPT-5",
        2025,
        "BPE on bytes",
        "those of GPT-4o",
        "o200k",
        BYTES,
        "tiktoken 0.14.0, its table of models",
        "https://github.com/openai/tiktoken",
    ),
    Published(
        "gpt-oss",
        2025,
        "BPE on bytes",
        "ids up to 201,087",
        "o200k",
        BYTES,
        "tiktoken 0.14.0, o200k_harmony",
        "https://github.com/openai/tiktoken",
    ),
    Published(
        "Qwen3.5",
        2026,
        "BPE on bytes",
        "248,077, 33 of them special",
        "as Qwen 2, but marks belong to letters",
        BYTES,
        "transformers, qwen3_5; report of magikarp",
        "https://github.com/huggingface/transformers/tree/main/src/transformers/models/qwen3_5",
    ),
    Published(
        "Gemma 4",
        2026,
        "BPE (SentencePiece)",
        "262,144",
        "whole lines; spaces, as ▁",
        FALLBACK,
        "transformers, gemma4; llama.cpp",
        "https://github.com/ggml-org/llama.cpp/blob/master/src/llama-vocab.cpp",
    ),
)
