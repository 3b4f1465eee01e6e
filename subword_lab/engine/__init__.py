"""Data structures behind the fast trainers: what keeps counts right while pairs are merged and tokens are pruned.

Nothing here changes a result. Each is tested equal to the readable functions of the algorithm that uses it.
"""
