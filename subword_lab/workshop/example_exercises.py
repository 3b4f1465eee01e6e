"""An exercise of one's own, with variants and two misconceptions."""
from subword_lab.exercises import Exercise, Misconception, Number

COUNT_WORDS = Exercise(
    id="class-01", title="Count the words", kind=Number(),
    generate=lambda rng: {"words": [rng.choice(["hug", "pug", "bun"]) for _ in range(rng.between(4, 40))]},
    question=lambda v: f"How many words are there in `{' '.join(v['words'])}`?",
    answer=lambda v: len(v["words"]),
    misconceptions=[
        Misconception("blanks", "You counted the blanks. What stands before the first and behind the last one?",
                      lambda v: len(v["words"]) - 1),
        Misconception("letters", "You counted letters. Where does a word end?", lambda v: len("".join(v["words"]))),
    ],
    hints=["A word is what stands between blanks.", "Split the text at its blanks.",
           "`len(text.split())` counts them."],
    solution="Split at the blanks and count the pieces.",
)

EXERCISES = [COUNT_WORDS]
