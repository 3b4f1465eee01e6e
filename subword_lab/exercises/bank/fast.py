"""The exercises of lesson 08: what work costs, what has to stay true, and when it is worth making faster."""

from fractions import Fraction

from ... import bpe
from .. import Choice, Merges, Mistake, Number, Ordering, Question, Rng, exercise
from ..kinds import Invalid
from ..words import say, table
from .corpora import word_freqs

WORDS = (
    "tallest",
    "banana",
    "singing",
    "kitchen",
    "lowest",
    "newest",
    "open",
    "hugs",
    "teapot",
    "leaves",
    "drink",
    "подсказка",
    "чайник",
    "листья",
)


def pairs_in(words: list[str]) -> int:
    """How many pairs of neighbors stand in some words."""
    return sum(len(word) - 1 for word in words)


def pair_sum(words: list[str]) -> str:
    """The pairs of each word, to be added up."""
    return " + ".join(str(len(word) - 1) for word in words)


@exercise("fast-01", "What does one count cost?", Number(), level="recall", core=True)
def cost_of_a_count(rng: Rng) -> Question | None:
    freqs = word_freqs(rng)
    words = list(freqs)
    by_word = pair_sum(words)
    return Question(
        "The clear trainer counts pairs like this: it goes through the different words, looks at every "
        "pair in each, and adds the word's frequency to the pair's count.\n\n{freqs:table}\n\nAt how many "
        "pairs does it look before the first merge, when the words are split into characters?",
        answer=pairs_in(words),
        mistakes=[
            Mistake(
                "every-occurrence",
                sum(freq * (len(word) - 1) for word, freq in freqs.items()),
                "This is how many pairs stand in the text. How often does the trainer look at a word that occurs "
                "ten times?",
            ),
            Mistake(
                "characters",
                sum(map(len, words)),
                "That is how many characters the words have. How many pairs does a word of two characters have?",
            ),
            Mistake(
                "different-pairs",
                len(bpe.pair_freqs(freqs, bpe.split_words(words))),
                "That is how many different pairs there are. Is a pair that occurs in two words looked at only once?",
            ),
            Mistake(
                "words",
                len(words),
                "That is the number of different words. What is looked at in each?",
            ),
            Mistake("occurrences", sum(freqs.values()), "That is how many words the text has."),
            Mistake(
                "half",
                sum(len(word) // 2 for word in words),
                "These are pairs that do not overlap. Do `h u` and `u g` both count in `hug`?",
            ),
            Mistake(
                "characters-of-the-text",
                sum(freq * len(word) for word, freq in freqs.items()),
                "That is how many characters the whole text has. What does the trainer go through, and what does "
                "it look at?",
            ),
        ],
        evidence=lambda value: say(
            "In `{word}` it looks at {pairs:pair|pairs}. And in the other words?",
            word=words[0],
            pairs=len(words[0]) - 1,
        ),
        hints=[
            "What is done for each word, and how often is a word gone through?",
            "A word has one pair fewer than it has characters.",
            "Add up the pairs of the words. The frequencies only change what is added.",
        ],
        solution="{by_word}.",
        why="Each different word is gone through once; its frequency costs nothing.",
        figures=locals(),
    )


@exercise("fast-02", "Count the words first", Number(), level="recall")
def words_first(rng: Rng) -> Question | None:
    different, times, pairs = 500 * rng.between(4, 30), rng.between(4, 30), rng.between(3, 6)
    total = different * times
    return Question(
        "A text of {total:,} words has {different:,} different ones. Take {pairs} pairs in a word, in both "
        "cases. How many times as many pairs does a trainer look at in one count if it goes through the "
        "text word by word, instead of going through the different words with their frequencies?",
        answer=times,
        mistakes=[
            Mistake(
                "difference",
                total - different,
                "That is a difference of words. How many *times* as many are they?",
            ),
            Mistake(
                "pairs-too",
                times * pairs,
                "The pairs in a word were counted on one side only. Do they stand on both?",
            ),
            Mistake("pairs-divided", pairs, "That is how many pairs a word has."),
            Mistake(
                "divided-by-the-pairs",
                Fraction(times, pairs),
                "The pairs in a word were divided by on one side only. Do they stand on both?",
            ),
            Mistake(
                "pairs-looked-at",
                different * pairs,
                "This is how many pairs stand in the different words. And in the text?",
            ),
            Mistake(
                "one-less",
                times - 1,
                "This is how many times as many come *on top*. How many are they in all, against the different ones?",
            ),
            Mistake(
                "pairs-of-the-text",
                total * pairs,
                "This is how many pairs stand in the text. How many times as many is that?",
            ),
            Mistake(
                "pairs-subtracted",
                (total - different) * pairs,
                "That is a difference of pairs. How many *times* as many are they?",
            ),
        ],
        evidence=lambda value: (
            ""
            if times in (10 * value, value / 10)
            else "Which of the two looks at more pairs?"
            if value < 1
            else "Find the pairs on both sides. How often does the smaller number go into the larger?"
        ),
        hints=[
            "How many pairs are looked at in the one case, and how many in the other?",
            "What stands on both sides need not be counted.",
            "Divide the words of the text by the different ones.",
        ],
        solution="{total:,} × {pairs} against {different:,} × {pairs}: {total:,} / {different:,}.",
        why="Training sees words only through their counts; so a text is as much work as its different words.",
        figures=locals(),
    )


@exercise("fast-03", "More merges, more text", Number(unit="seconds"), core=True)
def growth(rng: Rng) -> Question | None:
    seconds, merges, words = rng.between(3, 14), rng.between(2, 5), rng.between(2, 6)
    if merges == words:
        return None
    hundreds = 100 * merges
    return Question(
        "A trainer counts all pairs anew before every merge. It takes {seconds} seconds for 100 merges on "
        "a corpus. How many seconds will it take for {hundreds} merges on a corpus with {words} times as "
        "many different words, of the same length? (Nothing else costs anything, and merges make the words no "
        "shorter to speak of.)",
        answer=seconds * merges * words,
        mistakes=[
            Mistake(
                "added",
                seconds * (merges + words),
                "This adds what more merges and more words cost. Does a merge cost the same on both corpora?",
            ),
            Mistake(
                "words-only",
                seconds * words,
                "That is the larger corpus, with as many merges as before.",
            ),
            Mistake(
                "merges-only",
                seconds * merges,
                "That is for more merges, on the same corpus. What does a longer corpus cost?",
            ),
            Mistake(
                "merges-squared",
                seconds * merges**2 * words,
                "The merges count twice here. Does a late merge cost more than an early one?",
            ),
            Mistake(
                "words-squared",
                seconds * merges * words**2,
                "The words count twice here. What does one count do with a word?",
            ),
            Mistake(
                "unchanged",
                seconds,
                "That is the time that it took before. Is there no more to do now?",
            ),
            Mistake(
                "factor",
                merges * words,
                "It takes that many times as long. How many seconds is that?",
            ),
            Mistake(
                "each-merge",
                100 * merges * seconds,
                "Here each merge takes as long as a hundred did.",
            ),
        ],
        evidence=lambda value: "Before every merge, one count goes through all different words.",
        hints=[
            "What does one merge cost, and how many are there?",
            "A count costs as much as there are words.",
            "Multiply: once for the merges, once for the words.",
        ],
        solution="{seconds} × {merges} × {words}.",
        why="Merges times words: double both, and you wait four times as long. This is what an index breaks.",
        figures=locals(),
    )


@exercise("fast-04", "Only the words that hold it", Number(), core=True)
def words_of_a_pair(rng: Rng) -> Question | None:
    freqs = word_freqs(rng)
    pairs = bpe.pair_freqs(freqs, bpe.split_words(freqs))
    left, right = pair = rng.choice(list(pairs))
    holding = [word for word in freqs if "".join(pair) in word]
    if not 1 < len(holding) < len(freqs):
        return None
    different = len({neighbors for word in holding for neighbors in zip(word, word[1:])})
    by_word = pair_sum(holding)
    return Question(
        "An index knows, for every pair, which words hold it.\n\n{freqs:table}\n\nNow `{left} {right}` is "
        "merged, and only the words that hold it are gone through again, character by character as they "
        "are before the merge. How many pairs does this look at?",
        answer=pairs_in(holding),
        mistakes=[
            Mistake(
                "all-words",
                pairs_in(list(freqs)),
                "That is the count over all words. Which of them can have changed?",
            ),
            Mistake(
                "words",
                len(holding),
                "That is how many words hold the pair. How many pairs stand in these?",
            ),
            Mistake(
                "others",
                pairs_in([word for word in freqs if word not in holding]),
                "These are the pairs of the words that do *not* hold it. In which words can a count change?",
            ),
            Mistake(
                "occurrences",
                sum(freqs[word] * (len(word) - 1) for word in holding),
                "Each word is gone through as often as it occurs here. How often is it in the list?",
            ),
            Mistake(
                "characters",
                sum(map(len, holding)),
                "That is how many characters these words have. How many pairs is that?",
            ),
            Mistake("count", pairs[pair], "That is the pair's own count. What is looked at?"),
            Mistake(
                "different-pairs",
                different if different < pairs_in(holding) else None,
                "These are the different pairs in them. Is a pair that stands in two words looked at only once?",
            ),
            Mistake(
                "without-the-pair",
                pairs_in(holding)
                - sum(each == pair for word in holding for each in zip(word, word[1:])),
                "That is how many other pairs these words have, and how many they have after the merge. Is the "
                "pair itself looked at, too?",
            ),
        ],
        hints=[
            "Which words change at all?",
            "A word without the pair stays as it is, and so do its pairs.",
            "Take the words that hold the pair, and add up their pairs.",
        ],
        evidence=lambda value: say(
            "`{word}` holds the pair, and has {pairs:pair|pairs} in all. Which other words hold "
            "it?",
            word=holding[0],
            pairs=len(holding[0]) - 1,
        ),
        solution="It occurs in {holding:list}: {by_word}.",
        why="Most pairs occur in few words, so most of the corpus is left alone.",
        figures=locals(),
    )


@exercise("fast-05", "Off with the old, on with the new", Number())
def changes_in_a_word(rng: Rng) -> Question | None:
    word = rng.choice(WORDS) + rng.choice(WORDS)
    at = rng.below(len(word) - 1)
    pair = word[at : at + 2]
    if word.count(pair) != 1 or pair[0] == pair[1]:
        return None
    left, right = word[at], word[at + 1]
    before, after = len(word) - 1, len(word) - 2
    symbols = [*word[:at], pair, *word[at + 2 :]]
    different = len({*zip(word, word[1:])}) + len({*zip(symbols, symbols[1:])})
    return Question(
        "The word `{word}` is split into characters, and `{left} {right}` is merged in it. To keep the "
        "counts true, the trainer first takes off all pairs that the word had, one by one, and then adds "
        "all that it has now. How many times does it change a count?",
        answer=before + after,
        mistakes=[
            Mistake(
                "old-only", before, "This is how many pairs are taken off. What is added then?"
            ),
            Mistake(
                "new-only", after, "This is how many pairs are added. What was taken off before?"
            ),
            Mistake(
                "as-many-new",
                2 * before,
                "Here as many pairs are added as were taken off. How many symbols does the word have after the merge?",
            ),
            Mistake(
                "characters",
                2 * len(word) - 1,
                "These are the symbols before and after. How many pairs are between them?",
            ),
            Mistake(
                "neighbors",
                1 + 2 * ((at > 0) + (at < len(word) - 2)),
                "That is the least that would do: the pair, and those on its sides. This trainer is simpler.",
            ),
            Mistake(
                "length",
                len(word),
                "That is how many characters the word has. How many pairs are between them?",
            ),
            Mistake(
                "difference",
                1,
                "The word has one pair fewer. But each one that is taken off or added is a change.",
            ),
            Mistake(
                "different-pairs",
                different if different < 2 * before - 1 else None,
                "These are different pairs. Is one that stands twice in the word taken off once?",
            ),
            Mistake(
                "multiplied",
                before * after,
                "The two numbers were multiplied. Is each new pair added for each old one?",
            ),
        ],
        evidence=lambda value: say(
            "At first there are {symbols} symbols. How many pairs is that, and how many symbols "
            "are there afterwards?",
            symbols=len(word),
        ),
        hints=[
            "How many symbols does the word have before, and how many after?",
            "A word of some symbols has one pair fewer than symbols.",
            "Add the pairs before the merge and those after it.",
        ],
        solution="{before} pairs before, {after} after.",
        why="It is more than the least one could do, but it is simple, and most words are short.",
        figures=locals(),
    )


@exercise("fast-06", "What is left of a count?", Number(), core=True)
def count_after_a_merge(rng: Rng) -> Question | None:
    freqs = word_freqs(rng)
    splits = bpe.split_words(freqs)
    counts = bpe.pair_freqs(freqs, splits)
    pair = rng.choice(list(counts))
    after = bpe.pair_freqs(freqs, bpe.merge_pair(pair, splits))
    other = rng.choice([other for other in counts if other != pair])
    left, count = after.get(other, 0), counts[other]
    if left == count or not left:
        return None
    merged_pair, other_pair = " ".join(pair), " ".join(other)
    new = [number for made, number in after.items() if made not in counts]
    merged = bpe.merge_pair(pair, splits)
    touched = [
        word
        for word in freqs
        if bpe.pair_freqs({word: 1}, merged).get(other)
        != bpe.pair_freqs({word: 1}, splits).get(other)
    ]
    places = bpe.pair_freqs(dict.fromkeys(freqs, 1), merged)[other]
    elsewhere = [count - freqs[word] for word in freqs if word not in touched]
    elsewhere = [number for number in elsewhere if 0 < number != left]
    return Question(
        "All words are split into characters.\n\n{freqs:table}\n\nThe pair `{other_pair}` occurs "
        "{count:times}. Now `{merged_pair}` is merged everywhere. How often does `{other_pair}` occur then?",
        answer=left,
        mistakes=[
            Mistake(
                "unchanged",
                count,
                "That is the count before the merge. In which words do both pairs stand side by side?",
            ),
            Mistake("what-is-gone", count - left, "This is how many are gone. How many are left?"),
            Mistake(
                "whole-count",
                count - counts[pair],
                "The whole count of the merged pair was taken off. Do the two touch wherever they occur?",
            ),
            Mistake(
                "of-the-merged", counts[pair], "That is the count of the pair that was merged."
            ),
            Mistake(
                "new-pair", max(new, default=0), "That is the count of a pair that came into being."
            ),
            Mistake(
                "none-left",
                0,
                "Then each of them would have stood beside the merged pair. Do they?",
            ),
            Mistake(
                "added",
                2 * count - left,
                "What is gone was added. Does the pair occur more often after the merge?",
            ),
            Mistake(
                "one-place",
                count - 1 if count - 1 != left else None,
                "One was taken off. How often does a word in which the two touch occur?",
            ),
            Mistake(
                "places",
                places if places != left else None,
                "That is the number of places in the list where it is left. How often does each word occur?",
            ),
            Mistake(
                "both-together",
                count + counts[pair],
                "The counts of both pairs were added. What does a merge do to a pair beside it?",
            ),
            Mistake(
                "pair-without-what-is-gone",
                counts[pair] - count + left if counts[pair] != count else None,
                "What is gone was taken off the pair that was merged. Which pair is asked for?",
            ),
            Mistake(
                "wrong-word",
                elsewhere[0] if elsewhere else None,
                "The frequency of another word was taken off. In which words do the two pairs share a character?",
            ),
            Mistake(
                "taken-off-twice",
                2 * left - count if 2 * left > count else None,
                "What is gone was taken off twice. Once for each word in which the two touch is enough.",
            ),
        ],
        evidence=lambda value: say(
            "It occurs {count:times} at first. Can a merge bring more of it?"
            if value > count
            else "You took off a word in which the two pairs do not touch. Look for the words in which they share a "
            "character."
            if value in elsewhere
            else "Look for the words in which the two pairs share a character."
            if value in (0, count, count - left)
            else "That takes {gone} of the {count} off. Look for the words in which the two pairs share a character: "
            "how often do these words occur?",
            count=count,
            gone=count - value,
        ),
        hints=[
            "Where do the two pairs share a character?",
            "Where they touch, the shared character is used up.",
            "Take off the frequencies of the words in which they touch.",
        ],
        solution="In {touched:list} they touch, and the pair is gone there.",
        why="A merge lowers the counts of its neighbors only where they really stood beside it.",
        figures=locals(),
    )


@exercise("fast-07", "What has to stay true?", Choice(), core=True)
def invariant(rng: Rng) -> Question | None:
    freqs = word_freqs(rng)
    counts = bpe.pair_freqs(freqs, bpe.split_words(freqs))
    left, right = rng.choice(list(counts))
    return Question(
        "A trainer keeps its counts while it merges, instead of counting anew.\n\n{freqs:table}\n\nIt has just "
        "merged `{left} {right}`. You write a test that runs after every merge. What does it check?",
        answer="Every count is what counting the words anew would give.",
        mistakes=[
            Mistake(
                "sum-stays",
                "All counts add up to the same number as before the merge.",
                "A merge makes words shorter. Do they have as many pairs as before?",
            ),
            Mistake(
                "only-down",
                "No count is higher than it was before the merge.",
                "What about pairs with the new token?",
            ),
            Mistake(
                "none-vanishes",
                "Every pair that had a count still has one above zero.",
                "What about the pair that was merged?",
            ),
            Mistake(
                "largest",
                "The merged pair was the most frequent one.",
                "That is true of a good choice. Does it say anything of the counts as they are now?",
            ),
        ],
        hints=[
            "An invariant is a sentence that is true before a step, and again after it.",
            "What would a slow program that nobody doubts say?",
            "The clear function is the measure of the fast one.",
        ],
        solution="Count anew with the clear function, and compare.",
        why="The slow, obvious function is the specification; the fast one has to agree with it after every step.",
        figures=locals(),
    )


@exercise("fast-08", "Take from the heap", Number(), version=3)
def stale_entries(rng: Rng) -> Question | None:
    noted = sorted((rng.between(40, 80) for _ in range(6)), reverse=True)
    true = [count - rng.choice([0, 0, *range(10, 40)]) for count in noted]
    if len({*noted, *true}) != len(noted) + sum(a != b for a, b in zip(noted, true)):
        return None
    heap, taken = list(zip(noted, true)), 0
    while True:
        heap.sort(reverse=True)
        taken += 1
        count, now = heap.pop(0)
        if count == now:
            break
        heap.append((now, now))
    stale, entries = sum(a != b for a, b in zip(noted, true)), len(noted)
    unmoved = next((number for number, (a, b) in enumerate(zip(noted, true), 1) if a == b), 0)
    if taken < 3 or unmoved == taken:
        return None
    place = true.index(now) + 1
    names = ("a b", "c d", "e f", "g h", "i j", "k l")
    rows = table(
        "pair | in the heap | true count",
        [(f"`{name}`", count, now) for name, count, now in zip(names, noted, true)],
    )
    from_the_top = ", ".join(
        say("{count} (right)" if count == now else "{count} (now {now})", count=count, now=now)
        for count, now in zip(noted, true)
    )
    return Question(
        "A heap holds pairs by the count that they had when they were put in. Meanwhile some counts have "
        "fallen. The trainer takes off the entry with the highest number. If it is not the pair's count "
        "any more, the pair goes back with its true count, and the next entry is taken off.\n\n{rows}\n\nHow "
        "many entries are taken off until one is right? (That one counts, too.)",
        answer=taken,
        mistakes=[
            Mistake(
                "right-one-forgotten",
                taken - 1,
                "This is how many were put back. And the one that was right?",
            ),
            Mistake(
                "not-put-back",
                unmoved or None,
                "That is where the first row stands whose numbers agree. What was put back above it, and comes off "
                "before?",
                rare=True,
            ),
            Mistake(
                "all-stale",
                stale,
                "This is how many entries are out of date. Do all of them come off before one is right?",
            ),
            Mistake("at-once", 1, "Is the entry on top right?"),
            Mistake(
                "all-and-again",
                len(noted) + stale,
                "This is how many there are if each one that is out of date goes in again. Does the trainer look at "
                "all of them?",
            ),
            Mistake(
                "count",
                count if count != taken else None,
                "That is the count of the pair that is taken in the end. How many entries came off the heap?",
            ),
            Mistake(
                "back-too",
                2 * taken - 1,
                "What was put back is counted here, too. What was taken off?",
            ),
            Mistake(
                "all-twice",
                2 * taken,
                "This comes out when all {entries} entries are counted, or when those that come off count twice. "
                "How many come off until one is right?"
                if 2 * taken == entries
                else "Every entry is counted twice here. Which ones were put back, and is that asked for?",
            ),
            Mistake(
                "none-is-right",
                0,
                "An entry is taken off, and looked at, before it is known to be right. How many are?",
            ),
            Mistake(
                "all-and-the-first",
                entries + 1 if entries + 1 != taken else None,
                "That is one more than there are entries. Does the trainer go through all of them before it takes one?",
            ),
        ],
        evidence=lambda value: (
            "That is the place in the table of the pair that is taken in the end. Which entries come off before it?"
            if value == place
            else "Two came off, `a b` and `c d`, and neither was right. Which entry is on top then: has one that went "
            "back the highest number, or one that has not been looked at?"
            if value == 2
            else "First `a b` comes off, then `c d`, and both go back with smaller numbers. Which entry is on top "
            "then?"
        ),
        hints=[
            "Play it: what is on top, and is it right?",
            "What goes back has a smaller number now.",
            "Write the entries in order, and move those down that are out of date.",
        ],
        solution="From the top: {from_the_top}.",
        why="A count that only falls can only be noted too high. So the first entry that is right is the "
        "highest of all.",
        figures=locals(),
    )


@exercise("fast-09", "Two numbers in one", Number(), version=2)
def pair_as_number(rng: Rng) -> Question | None:
    size, left = rng.choice((300, 400, 600, 700, 800)), rng.between(11, 99)
    right = rng.between(100, size - 1)
    number = size * left + right
    if number % 1000 == right:
        return None
    return Question(
        "Symbols are numbers below {size}. A pair is written as one number, left × {size} + right, so that a "
        "table needs no tuples. What is the **right** symbol of the pair {number:,}?",
        answer=right,
        mistakes=[
            Mistake(
                "left-symbol", left, "That is the left symbol. What is left over for the right one?"
            ),
            Mistake(
                "last-three-places",
                number % 1000,
                "These are the last three digits. They would be the right symbol if the factor were 1,000.",
            ),
            Mistake(
                "left-part",
                size * left,
                "That is what the left symbol stands for. What is left over?",
            ),
            Mistake(
                "taken-off-once",
                number - size,
                "Here {size} was taken off once. How often does it fit into the number?",
            ),
            Mistake(
                "what-is-missing",
                size - right if 2 * right != size else None,
                "That is how much is missing up to the next multiple of {size}. What is there beyond the last one?",
            ),
        ],
        evidence=lambda value: say(
            "{value} is no symbol: they are below {size}."
            if value >= size
            else "With this right symbol, the rest of the number is no multiple of {size}.",
            value=value,
            size=size,
        ),
        hints=[
            "The left symbol counts multiples of {size}.",
            "Divide the number by {size}, without a fraction.",
            "What is left over is the right symbol; in Python, `%` gives it.",
        ],
        solution="{number:,} = {left} × {size} + {right}.",
        why="No two pairs have the same number, and one number is compared and hashed faster than two strings.",
        figures=locals(),
    )


@exercise("fast-10", "And back again", Number())
def number_as_pair(rng: Rng) -> Question | None:
    base, left, right = rng.choice([256, 512, 1024]), rng.between(12, 90), rng.between(100, 250)
    key = left * base + right

    def is_left(value: Fraction) -> bool:
        if value == key:  # such as `21*512 + 185`
            raise Invalid("That is the number of the pair itself. Give the left symbol alone.")
        return value == left

    return Question(
        "A pair of symbols is stored as left × {base} + right, with both below {base}. What is the left "
        "symbol of the pair {key:,}?",
        answer=left,
        accept=is_left,
        mistakes=[
            Mistake("right", right, "That is the right-hand symbol: what is left over."),
            Mistake(
                "thousands",
                key // 1000,
                "That is the number of thousands. By what were the symbols kept apart?",
            ),
            Mistake(
                "rounded-up",
                left + 1,
                "This is rounded up. To which symbol does what is left over belong?",
            ),
            Mistake(
                "minus", key - base, "The base was taken off once. How often is it in the number?"
            ),
            Mistake(
                "halved",
                key // (2 * base),
                "That is half of it, or nearly. What is divided by what?",
            ),
            Mistake(
                "not-divided",
                left * base,
                "This is the left symbol's share of the number. How many times the base is it?",
            ),
            Mistake(
                "multiplied",
                key * base,
                "The base was multiplied in. Which way does one get back?",
            ),
        ],
        evidence=lambda value: say(
            "Times {base}, this is more than the whole number. How many whole times does {base} go into it?"
            if value * base > key
            else "Times {base}, this leaves {base} or more. How many whole times does {base} go into the number?"
            if (value + 1) * base <= key
            else "How many whole times does {base} go into the number? What is left over is the right symbol.",
            base=base,
        ),
        hints=[
            "What was done, the other way around?",
            "How many whole times does the base go into the number?",
            "In Python: the key, `//`, and {base}.",
        ],
        solution="{key} // {base}; the rest, {right}, is the right symbol.",
        why="Division gives the left symbol, its remainder the right one: nothing is lost.",
        figures=locals(),
    )


@exercise("fast-11", "How much memory?", Number(unit="MB"))
def memory(rng: Rng) -> Question | None:
    places = rng.between(3, 60)
    return Question(
        "All words of a corpus stand in one row of {places} million places. At each place three numbers "
        "are kept: the symbol and the pair that begins there, of 32 bits each, and the word's frequency, "
        "of 64 bits. How many megabytes is that? (1 MB is a million bytes.)",
        answer=16 * places,
        mistakes=[
            Mistake(
                "numbers",
                3 * places,
                "That is how many million numbers there are. How many bytes does each have?",
            ),
            Mistake("bits", 128 * places, "These are bits. How many make a byte?"),
            Mistake(
                "all-four",
                12 * places,
                "That is four bytes for each number, or the frequency with one of the others alone. What stands "
                "at one place?",
            ),
            Mistake(
                "all-eight",
                24 * places,
                "That is eight bytes for each number. How many bits do the symbol and the pair have?",
            ),
            Mistake("symbol-only", 4 * places, "That is the symbols. What else is kept?"),
            Mistake("places", places, "That is a byte for each place."),
            Mistake(
                "no-frequency",
                8 * places,
                "These are two numbers of four bytes, or one of eight. What is kept beside them?",
            ),
            Mistake("bytes", 16_000_000 * places, "These are bytes. How many megabytes are they?"),
            Mistake("one-place", 16, "This is how many bytes one place has."),
        ],
        evidence=lambda value: (
            "A megabyte is a million bytes here, not 1,024 × 1,024."
            if abs(value * 1024**2 / 10**6 - 16 * places) < 1
            else "Begin with one place: how many bytes do its three numbers take?"
        ),
        hints=[
            "A byte has eight bits.",
            "Add up the bytes of one place first.",
            "Twice four bytes and once eight, for each place.",
        ],
        solution="(4 + 4 + 8) × {places}.",
        why="With arrays you can work out how much memory is needed; a list of Python strings takes "
        "several times as much.",
        figures=locals(),
    )


@exercise("fast-12", "Where does the next one begin?", Number())
def next_place(rng: Rng) -> Question | None:
    word = rng.choice(WORDS) + rng.choice(WORDS)
    cuts = sorted(rng.sample(range(1, len(word)), 4))
    tokens = [word[a:b] for a, b in zip([0, *cuts], [*cuts, len(word)])]
    begin, number = rng.between(20, 900), rng.between(2, 3)
    place, symbol, nth = begin + cuts[number], tokens[number + 1], number + 2
    if all(len(token) == 1 for token in tokens):
        return None
    by_symbol = " + ".join(str(len(token)) for token in tokens[: number + 1])
    return Question(
        "All words stand in one row, a character at a place. A merged symbol keeps the room of its "
        "characters, and nothing is moved. A word begins at place {begin}, and its symbols are "
        "now\n\n{tokens:cut}\n\nAt which place does `{symbol}`, the symbol number {nth}, begin?",
        answer=place,
        mistakes=[
            Mistake(
                "by-symbols",
                begin + number + 1,
                "Each symbol takes one place here. How much room does a merged one keep?",
            ),
            Mistake(
                "last-place-before", place - 1, "That is the last place of the symbol before it."
            ),
            Mistake(
                "one-symbol-early", begin + cuts[number - 1], "There the symbol before it begins."
            ),
            Mistake("end", place + len(symbol), "There it ends. Where does it begin?"),
            Mistake(
                "from-zero",
                place - begin,
                "That is the place in the word. Where does the word begin?",
            ),
            Mistake(
                "one-more",
                place + 1,
                "That is one place too far. Which place does the word's first character have?",
            ),
            Mistake(
                "own-last-place",
                place + len(symbol) - 1 if len(symbol) > 1 else None,
                "That is its last place. Where is its first?",
            ),
            Mistake(
                "places-between",
                place + number + 1,
                "That has a place between the symbols. How much room does each of them take?",
            ),
            Mistake(
                "by-symbols-from-one",
                begin + number + 2 if begin + number + 2 != place else None,
                "That takes one place for each symbol, and counts from 1. How much room does a merged one keep?",
            ),
            Mistake(
                "bytes",
                None if (head := word[: cuts[number]]).isascii() else begin + len(head.encode()),
                "This counts bytes. What is there at each place?",
            ),
        ],
        evidence=lambda value: say(
            "`{first}` begins at place {begin}, and `{second}` at {place}. Go on like this.",
            first=tokens[0],
            begin=begin,
            second=tokens[1],
            place=begin + cuts[0],
        ),
        hints=[
            "How many characters stand before it in the word?",
            "A symbol of three characters keeps three places.",
            "Begin at the word's place, and go on by the length of each symbol before it.",
        ],
        solution="{begin} + {by_symbol}.",
        why="The lengths lead to the neighbors, so nothing has to be moved when a pair is merged.",
        figures=locals(),
    )


@exercise("fast-13", "One part made faster", Number(unit="seconds"), level="transfer", core=True)
def one_part(rng: Rng) -> Question | None:
    times = rng.choice([4, 5, 10, 20, 25])
    counting, merging = rng.between(4, 30), times * rng.between(2, 8)
    total = counting + merging
    return Question(
        "A training takes {total} seconds: {counting} for counting the words and {merging} for merging. "
        "The merging is compiled and becomes {times} times as fast. The counting stays. How many seconds "
        "does the training take now?",
        answer=counting + merging // times,
        mistakes=[
            Mistake(
                "all-of-it",
                total / times,
                "Here all of it became faster. What stays as it was?",
            ),
            Mistake(
                "merging-only", merging // times, "That is the merging alone. What about the words?"
            ),
            Mistake(
                "other-part",
                counting / times + merging,
                "Here the counting became faster. Which part was compiled?",
            ),
            Mistake(
                "counting-only",
                counting,
                "That is the counting alone. Does the merging take no time at all now?",
            ),
            Mistake(
                "subtracted",
                total - times,
                "The factor was taken off in seconds. What does *times as fast* mean?",
            ),
            Mistake(
                "multiplied",
                counting + merging * times,
                "The merging takes longer here. What does *times as fast* mean?",
            ),
            Mistake(
                "saved",
                merging - merging // times,
                "This is how many seconds are saved. How many are left?",
            ),
            Mistake("unchanged", total, "That is what it took before."),
            Mistake(
                "new-taken-off",
                total - merging // times,
                "The new time of merging was taken off the whole. What is to be taken off, and what comes in its "
                "place?",
            ),
        ],
        evidence=lambda value: (
            "That is how many times as fast all of it has become, or nearly."
            if abs(value * (counting + merging // times) - total) < 1
            else "The counting takes as long as before. How long does the merging take now?"
        ),
        hints=[
            "What changes, and what does not?",
            "Only the merging is divided.",
            "Divide the merging by the factor, and add the counting.",
        ],
        solution="{counting} + {merging} / {times}.",
        why="However fast the one part becomes, the other stays; so improve the one that now takes longest.",
        figures=locals(),
    )


@exercise("fast-14", "A terabyte", Number(unit="seconds"), level="transfer")
def terabyte(rng: Rng) -> Question | None:
    rate, cores = (
        rng.choice([50, 80, 100, 125, 200, 250]),
        rng.choice([4, 5, 8, 10, 16, 20, 25, 40]),
    )
    seconds, rest = divmod(1_000_000, rate * cores)
    if rest:
        return None
    return Question(
        "One core counts the words of {rate} MB of text in a second. You have {cores} cores, and the text "
        "can be read as fast as they can count. How many seconds does a terabyte take, a million MB?",
        answer=seconds,
        mistakes=[
            Mistake("one-core", 1_000_000 // rate, "That is for one core. What do the others do?"),
            Mistake(
                "cores-only",
                1_000_000 // cores,
                "That is the MB for each core. How many does it count in a second?",
            ),
            Mistake("gigabyte", seconds / 1000, "That is a gigabyte, a thousand MB."),
            Mistake(
                "rate",
                rate * cores,
                "This is how many MB are counted in a second. How long does it take then?",
            ),
            Mistake("cores-twice", seconds / cores, "The cores were counted twice here."),
            Mistake(
                "cores-slow-down",
                1_000_000 // rate * cores,
                "With more cores it takes longer here. Can that be?",
            ),
            Mistake(
                "minutes",
                Fraction(seconds, 60),
                "These are minutes. How many seconds is that?",
            ),
            Mistake(
                "hours",
                Fraction(seconds, 3600),
                "These are hours. How many seconds is that?",
            ),
            Mistake(
                "powers-of-1024",
                Fraction(1024**2, rate * cores),
                "A terabyte is a million MB here, not 1,024 × 1,024.",
            ),
        ],
        evidence=lambda value: (
            "How many MB do all cores count in a second, and how often does that go into a terabyte?"
        ),
        hints=[
            "How many MB do all cores count in a second?",
            "They work side by side, so their rates add up.",
            "Divide the million by the rate of all of them.",
        ],
        solution="1,000,000 / ({rate} × {cores}).",
        why="Counting is cut up without loss, because counts of parts add up to the counts of the whole.",
        figures=locals(),
    )


@exercise(
    "fast-15", "When is the compiler worth it?", Number(unit="MB"), level="transfer", core=True
)
def worth_compiling(rng: Rng) -> Question | None:
    slow, fast, tens = rng.between(3, 9), rng.between(1, 2), rng.between(2, 9)
    saving = slow - fast
    wait = saving * tens
    return Question(
        "Plain Python takes {slow} seconds for every 10 MB, compiled code {fast}. Before it can begin, the "
        "compiler takes {wait} seconds. For how many MB do both need the same time?",
        answer=10 * tens,
        mistakes=[
            Mistake(
                "python-only",
                10 * wait / slow,
                "By then Python has worked as long as the compiler. Does compiled code take no time?",
            ),
            Mistake(
                "compiled-only",
                10 * wait / fast,
                "That is what compiled code does while the compiler works. What does Python do meanwhile?",
            ),
            Mistake(
                "added",
                10 * wait / (slow + fast),
                "The times were added. What does each 10 MB save?",
            ),
            Mistake("ten-forgotten", tens, "That is how many times 10 MB it is."),
            Mistake(
                "product",
                10 * wait * saving,
                "The saving was multiplied. How often does it have to be saved?",
            ),
            Mistake(
                "product-for-ten",
                wait * saving,
                "The wait and the saving were multiplied. How often does that much have to be saved to make up for "
                "the wait?",
            ),
            Mistake(
                "seconds",
                slow * tens,
                "Both have taken that many seconds by then. How many MB are done?",
            ),
            Mistake(
                "saving",
                saving,
                "This is how many seconds are saved on every 10 MB. How often do they have to be saved?",
            ),
            Mistake(
                "ten-twice", 100 * tens, "The ten was taken twice. For how many MB is the saving?"
            ),
            Mistake(
                "wait",
                wait,
                "That is how many seconds the compiler takes. On how many MB does compiled code save as many?",
            ),
        ],
        evidence=lambda value: (
            "How many seconds does compiled code save on every 10 MB, and how often does that go into the wait?"
            if 10 * tens in (value * slow / 10, value * fast / 10 + wait)  # the answer, by chance
            else say(
                "For that many MB, Python needs {python:,.6g} seconds, and compiled code {compiled:,.6g}, the wait "
                "included.",
                python=float(value * slow / 10),
                compiled=float(value * fast / 10 + wait),
            )
        ),
        hints=[
            "What does compiled code save on every 10 MB?",
            "The saving has to make up for the wait.",
            "Divide the wait by the saving, and remember that it was for 10 MB.",
        ],
        solution="10 MB save {slow} − {fast} seconds, and {wait} / {saving} times that is the wait.",
        why="Below that, compiling takes longer than it saves, so small work is left to plain Python.",
        figures=locals(),
    )


@exercise("fast-16", "In which order?", Ordering(), level="transfer")
def order_of_work(rng: Rng) -> Question | None:
    words, times, different, holding = (
        1000 * rng.between(200, 900),
        rng.between(12, 30),
        1000 * rng.between(20, 60),
        rng.between(20, 90),
    )
    gains = {
        "count words first": times,
        "keep an index": words // times / holding,
        "keep a heap": different / 4,
        "compile the loops": 30,
    }
    spared = {
        "count words first": words - words // times,
        "keep an index": words // times - holding,
        "keep a heap": different - 4,
        "compile the loops": 29,
    }
    steps = list(gains)
    different_words = say("{count:,} different words", count=words // times)
    rows = table(
        "what | before | after",
        [
            (steps[0], say("{words:,} words of the text", words=words), different_words),
            (steps[1], different_words, say("{holding} that hold the pair", holding=holding)),
            (steps[2], say("{count:,} pairs compared", count=different), "4 pairs compared"),
            (steps[3], "30 units of time a step", "1 unit of time a step"),
        ],
    )
    right = sorted(steps, key=lambda step: -gains[step])
    if len({round(gain) for gain in gains.values()}) < 4 or right == steps:
        return None
    by_step = ", ".join(f"{gains[step]:,.0f}" for step in right)
    return Question(
        "Four things can be done to a trainer. Each reduces **one** kind of work.\n\n{rows}\n\nPut them in "
        "order of how many *times* less work it is, the most first.",
        answer=right,
        listed=steps,
        mistakes=[
            Mistake(
                "as-in-the-lesson",
                steps,
                "That is the order in which the lesson takes them. How many times less work is each?",
            ),
            Mistake(
                "least-first",
                right[::-1],
                "Here the least comes first. Which one did the question ask for?",
            ),
            Mistake(
                "compiler-first",
                [right[3], *right[:3]]
                if right[3] == steps[3]
                else [steps[3], *[step for step in right if step != steps[3]]],
                "This has the compiled loops first, and is also the order of what is left. How many *times* less "
                "work is each than before?",
            ),
            Mistake(
                "by-difference",
                sorted(steps, key=lambda step: -spared[step]),
                "Here the largest numbers come first. How many *times* less is each?",
            ),
        ],
        hints=[
            "What is before, and what is after?",
            "For each, divide the work before by the work after.",
            "For the index, divide the different words by those that hold the pair.",
        ],
        solution="How many times less: {by_step}.",
        why="Doing less beats doing it faster; but what is left is worth compiling.",
        figures=locals(),
    )


@exercise(
    "fast-18",
    "Two merges from one count",
    Merges(form="one merge, such as x+y", example='("x", "y")'),
    points=2,
    level="transfer",
)
def two_merges_from_one_count(rng: Rng) -> Question | None:
    freqs = word_freqs(rng)
    first, second, third = bpe.train_steps(freqs, num_merges=3)
    counts = first.pair_freqs
    ranked = sorted(counts, key=lambda pair: -counts[pair])
    stale = ranked[1]
    if first.tied or second.tied or counts[stale] == counts[ranked[2]]:
        return None
    if second.pair == stale or not {*stale} & {*first.pair}:
        return None
    before, left = counts[stale], second.pair_freqs.get(stale, 0)
    first_pair, second_pair, count = first.pair, second.pair, second.count
    return Question(
        "Counting takes most of the time, so a program counts the pairs of this corpus once, and merges the two most "
        "frequent ones. Training counts anew after every merge, and its second merge is a different one. "
        "Which one?\n\n{freqs:table}",
        answer=[second_pair],
        mistakes=[
            Mistake(
                "from-the-old-count",
                [stale],
                "That is the second pair of the first count. It shares a symbol with the pair that was merged before: "
                "how often is it left?",
            ),
            Mistake(
                "first-merge",
                [first_pair],
                "That is the first merge. What comes after it?",
            ),
            Mistake(
                "third-of-the-old-count",
                [ranked[2]] if ranked[2] != second_pair else None,
                "That is the third pair of the first count. What does a new count say?",
            ),
            Mistake(
                "third-merge",
                [third.pair] if third.pair != stale else None,
                "Training makes this merge as its third. What comes before it?",
            ),
        ],
        hints=[
            "Which pair is the most frequent? Write the words down after its merge.",
            "Count again. A pair that shares a symbol with the merged one has lost places, and new pairs have come.",
            "The second merge joins a pair that now occurs {count:times}.",
        ],
        evidence=lambda value: (
            say(
                "After the first merge, {pair:tokens} occurs {number:times}, and another pair more often."
                if value[0] in second.pair_freqs
                else "After the first merge, {pair:tokens} occurs nowhere.",
                pair=value[0],
                number=second.pair_freqs.get(value[0], 0),
            )
            if value[0] != second_pair[::-1]
            else ""
        ),
        solution="{first_pair:tokens} comes first. {stale:tokens} had {before}, and {left} are left; "
        "{second_pair:tokens} has {count}.",
        why="A merge uses up its symbols: only pairs that share none with it keep their counts.",
        figures=locals(),
    )
