"""What makes training and encoding fast: other data structures behind the same functions, and compiled code.

Nothing here changes a result: each is tested equal to the readable functions of the algorithm that uses it. A trainer
imports its part when it is called, so that importing an algorithm stays cheap.

For the trainers, without a compiler: `pair_index` (pairs that keep up with merges, for rules that compare strings, and
for WordPiece's score), `pair_positions` (for `compression`), `suffixes` and `lattices` (for Unigram; for large corpora
`lattice_arrays`, with numpy, and `compiled_lattices`, whose loops are in `word_tree`; `suffix_array` finds the first
pieces of SentencePiece's rules, compiled).
`training.learn_merges` is behind `bpe.train` and `wordpiece.train`: words in flat rows (`pair_rows`), merged by Python
or, for large corpora, by the same text compiled (`compiling`; numba, the extra `fast`).

For large texts, compiled only:

- `counting.ByteWords` counts the words of texts and files, `counting.learn_byte_merges` learns merges from them;
  `counting.BertWords` counts those of BERT, which are normalized afterwards, each different one once;
- `encoding.ByteEncoder` (byte-level BPE) and `WordPieceEncoder` have `encode(text) -> list`, `encode_batch` and
  `encode_to_array(text) -> array`;
- `encoding.Decoder(tokens)` has `decode(ids) -> bytes`, for lists and for arrays.

For Unigram on large texts, compiled only: `unigram_texts` counts words for SentencePiece's rules and encodes, with the
loops of `spaced_words`.

`cluster` counts the words of files on many machines, with Dask.

`compiling.choose(engine, size, worth)` says whether work of that size is for "python" or "compiled".
"""
