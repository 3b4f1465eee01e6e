"""Exercises of one's own, to copy: one that asks for a value, and one that asks for code."""
from hypothesis import strategies as st

from subword_lab.exercises import Function, Mistake, Number, Question, exercise


@exercise("class-01", "Count the words", Number(), level="recall")
def count_words(rng):
    words = [rng.choice(["hug", "pug", "bun"]) for _ in range(rng.between(4, 40))]
    return Question(
        f"How many words are there in `{' '.join(words)}`?",
        answer=len(words),
        mistakes=[
            Mistake("blanks", len(words) - 1, "That is the number of blanks. What stands before the first one?"),
            Mistake("letters", len("".join(words)), "That is the number of letters. Where does a word end?"),
        ],
        hints=["A word is what stands between blanks.", "Split the text at its blanks.",
               "`len(text.split())` counts them."],
        solution="Split at the blanks and count the pieces.",
        why="There is one word more than there are blanks between them.",
    )


@exercise("class-02", "Write it: the longest word", Function(), points=2)
class LongestWord:
    """Write `longest(words)`. It returns the longest word of a list and, among equally long ones, the first.

    `longest(["bun", "hugs", "pugs"])` is `"hugs"`.
    """
    hints = ("Go through the words and remember the best one so far.", "When is a word better than the best so far?",
             "`max(words, key=len)` returns the first of several that are equal.")
    why = "A later word takes the place of an earlier one only if it is longer."
    cases = [(["bun", "hugs", "pugs"],), (["pug", "hug"],), (["a"],)]

    def longest(words):
        return max(words, key=len)

    def inputs():
        return st.tuples(st.lists(st.text("abc", min_size=1, max_size=3), min_size=1, max_size=5))

    def try_on(rng):
        return (rng.sample(["hug", "hugs", "pug", "bun", "unhug", "pugs"], 4),)

    class Also:
        def by_loop(words):
            best = words[0]
            for word in words:
                if len(word) > len(best):
                    best = word
            return best

        def by_sorting(words):
            return sorted(words, key=len, reverse=True)[0]

    class Mistakes:
        def last_of_equals(words):
            """Among equally long words you take the last one. Which of them came first?"""
            return max(reversed(words), key=len)

        def shortest(words):
            """You take the shortest word. In which direction do you compare?"""
            return min(words, key=len)

        def last_in_the_alphabet(words):
            """You compare the words themselves, which goes by the alphabet. What should be compared?"""
            return max(words)

        def its_length(words):
            """You return how long the word is. What is asked for, the word or its length?"""
            return max(map(len, words))
