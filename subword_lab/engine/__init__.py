"""What makes training fast: other data structures behind the same trainers, for corpora larger than a lesson's.

Nothing here changes a result: each is tested equal to the readable functions of the algorithm that uses it. A trainer
imports its part when it is called, so that importing an algorithm stays cheap.
"""
