"""Other data structures behind the trainers and encoders, in plain Python: the same results in bearable time.

Nothing here changes a result: each is tested equal to the readable functions of the algorithm that uses it. A trainer
imports its part when it is called, so that importing an algorithm stays cheap.

`merges` is behind `bpe.train` and `wordpiece.train`; `pair_index` has pairs that keep up with merges, for these and for
`compression`; `suffixes` and `lattices` (with numpy) are for Unigram; `merging` encodes long words. `garbage` keeps
Python from looking for garbage while very many objects are made.
"""
