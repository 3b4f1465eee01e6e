"""Questions asked of models from outside: how far merging gets, how tokenizers and libraries compare, what if.

The algorithms know nothing of this room; lessons, exercises and documented examples ask it.
"""
