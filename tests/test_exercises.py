"""The bank proves itself: every exercise, on many variants; and the engine behind it."""

from fractions import Fraction
from functools import cache

import pytest
from mutants import mutants

from subword_lab import exercises, lessons
from subword_lab import running as runner
from subword_lab.exercises import (
    Instance,
    Invalid,
    Merges,
    Mistake,
    Number,
    Ordering,
    Question,
    Text,
    Tokens,
    code,
    load,
    progress,
    trials,
)
from subword_lab.exercises import instance as engine
from subword_lab.exercises.typed import sequences
from subword_lab_teach import proof


@cache
def instances(exercise_id, variants):
    return [Instance(exercises.catalog()[exercise_id], seed) for seed in range(variants)]


CODE = [id for id, exercise in exercises.catalog().items() if "code" in exercise.kind.proofs]


@pytest.mark.parametrize(
    "exercise, check",
    [
        pytest.param(
            exercise,
            check,
            id=f"{exercise.id}-{check.__name__}",
            marks=[pytest.mark.slow] * (exercise.id in CODE),
        )
        for exercise in exercises.catalog().values()
        for check in proof.checks(exercise)
    ],
)
def test_proof(exercise, check, request):
    """Of code, variants show other cases and are tried on the same inputs, so one of them is enough but at night."""
    nightly = request.config.getoption("--hypothesis-profile") == "nightly"
    variants = 6 if request.config.option.markexpr == "not slow" else proof.ENOUGH
    if check is proof.code_is_judged_by_what_it_does:
        variants = 1
    made = instances(exercise.id, proof.VARIANTS if nightly else variants)
    assert list(check(exercise, made)) == []


@pytest.mark.parametrize("exercise_id", exercises.ids())
def test_there_are_enough_mistakes(exercise_id):
    labels = [mistake.label for mistake in load(exercise_id).asked.mistakes]
    assert len(labels) >= (5 if exercise_id in CODE else 3), labels


@pytest.mark.parametrize("lesson", lessons.LESSONS, ids=lambda lesson: lesson.name)
def test_every_lesson_has_enough_exercises_of_every_level(lesson):
    levels = [
        exercise.level
        for exercise in exercises.catalog().values()
        if exercise.group == lesson.exercises
    ]
    enough = 5 if lesson.exercises == "lab" else 16  # an experiment has one question or two
    assert len(levels) >= enough and set(levels) == set(exercises.LEVELS)


EQUIVALENT = {  # what no input could notice
    "bpe-19": {"line 2: 0 to -1"},  # every count is at least 1
    # Of tokens that begin at one place, the longer is also the greater string.
    "real-14": {"line 6: key= left out"},
    "real-15": {"line 5: tuple() left out"},  # lists and tuples are the same answer
    # `return` alone returns None; and as in real-14.
    "real-23": {"line 4: return nothing", "line 7: key= left out"},
    # Before gap 0 there is no start to go on from.
    "unigram-17": {"line 3: 1 to 0"},
    "unigram-18": {"line 6: 1 to 0"},
    # Every count of a symbol turns negative, and the product of two of them does not.
    "wordpiece-16": {"line 6: Add to Sub"},
}


@pytest.mark.slow
@pytest.mark.parametrize("exercise_id", CODE)
def test_every_mutant_of_the_solution_is_noticed(exercise_id):
    """So the inputs are strong."""
    ex = load(exercise_id)
    cases = [*ex.asked.cases, *trials.examples(ex.asked.inputs)]
    right = [trials.call(ex.asked.answer, case) for case in cases]
    unnoticed = []
    for what, source in mutants(code.source_of(ex.asked.answer)):
        ran = runner.run(
            proof.written(source), cases, limits=runner.Limits(steps=200_000), here=True
        )
        same = all(ex.kind.same(result.value, value) for result, value in zip(ran.results, right))
        if ran.outcome == "ok" and same and not (ran.mutated and ex.kind.keeps):
            unnoticed.append(what)
    assert set(unnoticed) == EQUIVALENT.get(exercise_id, set())


@pytest.fixture
def events(monkeypatch):
    """What is recorded from now on, in a store of this test's own."""
    kept = progress.Progress(progress.MEMORY)
    monkeypatch.setattr(progress, "store", lambda: kept)
    return kept.events


def test_what_is_checked_is_recorded_and_what_is_judged_is_not(events):
    ex = load("bpe-01", seed=7, learner="kim").another()
    assert ex.judge(-1).outcome == ex.check(-1).outcome == "incorrect"
    ex.hint()
    ex.solution()
    assert [event["kind"] for event in events()] == ["attempt", "hint", "solution"]
    common = {"exercise": "bpe-01", "exercise_version": 1, "learner": "kim", "seed": 7, "turn": 1}
    assert all(common.items() <= event.items() for event in events())
    assert {"outcome": "incorrect", "score": 0.0, "answer": "-1"}.items() <= events()[0].items()


def test_a_named_mistake_earns_nothing_and_a_beginning_earns_its_share(events):
    ex = load("bpe-04")
    assert ex.check(ex.asked.answer[:1]).score == pytest.approx(1 / len(ex.asked.answer))
    assert ex.check(ex.asked.mistakes[0].value).score == 0
    assert [event["score"] for event in events()] == [pytest.approx(1 / len(ex.asked.answer)), 0]


# ----------------------------------------------------------------------------------------------------------- the engine


def test_answers_can_be_handed_to_somebody_else(monkeypatch):
    monkeypatch.setattr(engine, "_taker", None)
    engine.hand_answers_to(lambda ex, answer: (ex.id, answer))
    assert load("bpe-01").check(20) == ("bpe-01", 20)


def test_a_right_answer_says_why_and_what_there_is_to_do_next():
    ex = load("bpe-01")
    feedback = ex.check(ex.asked.answer)
    assert feedback.message == f"Right. {ex.asked.why}" and "bpe_01.another()" in feedback.onward


def test_figures_depend_on_seed_and_learner():
    asked = [("7", "kim"), (8, "kim"), (8, "lee")]
    assert len({load("bpe-01", seed, learner).question for seed, learner in asked}) == 3


@pytest.mark.parametrize(
    "wrong, message",
    [
        (lambda: load("bpe-1"), "no exercise 'bpe-1'; did you mean bpe-"),
        (lambda: load("bpe-01", seed="x"), "seed is 'x'"),
        (lambda: exercises.register(exercises.catalog()["bpe-01"]), "already"),
        (lambda: exercises.exercise("class-09", "x", 7), "kind is 7; expected a kind"),
        (
            lambda: exercises.exercise("class-09", "x", Number(), points=0.5),
            "points is 0.5; expected a whole number from 0 to 10,000",
        ),
        (lambda: exercises.exercise("a-1", "x", Number())(7), "7 is no function; expected one"),
        (
            lambda: exercises.exercise("a-1", "x", Number())(type("Sum", (), {})),
            "'Sum' is no function; expected one that takes rng",
        ),
        (
            lambda: Instance(exercises.exercise("a-1", "x", Number())(lambda rng: None)).question,
            "a-1: no figures",
        ),
    ],
)
def test_what_cannot_be_asked_is_told(wrong, message):
    with pytest.raises((ValueError, RuntimeError), match=message):
        wrong()


# ------------------------------------------------------------------------------------------------ what is read, and how


def judged(kind, question, answer, listed):
    return kind.judge(question, kind.readings(answer, listed))


def asked(answer, *mistakes, **more):
    return Question(
        "?",
        answer,
        [
            Mistake(f"mistake-{number}", value, "That is a mistake.")
            for number, value in enumerate(mistakes)
        ],
        ["", "", ""],
        "",
        **more,
    )


OPTIONS = ["`un` `hug`", "The merge comes first.", "neither"]


@pytest.mark.parametrize(
    "kind, answer, typed",
    [
        (
            Number(),
            1234,
            [
                "1,234",
                "1 234",
                "1_234",
                "1.234",
                "１２３４",
                "1234.",
                "`1234`",
                "(1234)",
                "1234 times",
                "= 1234",
                "about 1234 tokens",
                "I am not sure, but 1234",
                "1234, but I'm not sure",
                1234.0,
                "1.234e3",
                "1\u202f234",
                "N = 1234",
            ],
        ),
        (Number(), 1234.5, ["1.234,5", "1,234.5"]),
        (Number(), -3, ["-3", "−3", " - 3"]),
        (
            Number(digits=4),
            0.03451,
            ["0.0345", "0,0345", ".0345", "3.45 %", "3.451e-2", "0.034510", "3.45 × 10^-2"],
        ),
        (
            Number(),
            29,
            [
                "**29**",
                "20 + 9",
                "58 / 2",
                "(20 + 9)",
                "(2^5 - 3)",
                "20 + 9 = 29",
                "2*10 = 20, so 29",
                "29 (20 + 9)",
                "29 = 20 + 9",
                "20 and 9: 29 tokens",
                "round 3: 29",
                "29 tokens/word",
            ],
        ),
        (
            Number(significant=3),
            1 / 36,
            ["1/36", "0.0278", "0,02778", "20 / (36 * 20)", "20/(36·20)", "2.78 %", "2.78e-2"],
        ),
        (Number(), 1 / 4, ["1/4", "1 / 4", "0.25", "0,25", "¼", "25 %", "1:4", "(1/4)"]),
        (
            Tokens(),
            ["un", "hug"],
            [
                "un|hug",
                "un | hug.",
                "un, hug",
                "un，hug",
                "un｜hug",
                "[un, hug]",
                '["un", "hug"]',
                "`un` `hug`",
                "'un' 'hug'",
                "“un” “hug”",
                "(un, hug)",
                "un\nhug",
                ("un", "hug"),
                "un; hug",
                "un + hug",
                "un/hug",
                "un-hug",
                "answer: un|hug",
                "`un|hug`",
            ],
        ),
        (
            Tokens(),
            ["[UNK]", "ug"],
            ["[UNK] ug", "[UNK]|ug", "UNK ug", "<unk> | ug", "`[UNK]` `ug`", "[[UNK], ug]"],
        ),
        (
            Tokens(),
            ["the", ",", "cat"],
            [
                "the | , | cat",
                "the , cat",
                '["the", ",", "cat"]',
                "[('the', (0, 3)), (',', (3, 4)), ('cat', (5, 8))]",
            ],
        ),
        (
            Merges(),
            [("u", "g"), ("h", "ug")],
            [
                "u+g, h+ug",
                "u g; h ug",
                "u+g=ug, h+ug=hug",
                "u + g -> ug, h + ug -> hug",
                "(u, g), (h, ug)",
                "1. u+g\n2. h+ug",
                [("u", "g"), ("h", "ug")],
                ["u+g", "h+ug"],
                ["u g", "h ug"],
                "u+g and h+ug",
                "u+g h+ug",
                "`u`+`g`, `h`+`ug`",
            ],
        ),
        (
            Merges(),
            [("##g", "##s")],
            ["##g+##s", "##g ##s", "(##g, ##s)", ("##g", "##s"), "##g + ##s = ##gs"],
        ),
        (
            Text(),
            "lowest rank",
            [
                "Lowest  rank",
                "`lowest rank`",
                '"lowest rank."',
                "lowest rank.",
                "«lowest rank»",
                "  lowest\u200b rank ",
            ],
        ),
        (Text(case=True), "aaabd", ["aaabd", "'aaabd'", "“aaabd”", "aaabd."]),
        (Text(case=True), "é", ["e\u0301"]),
        (exercises.Choice(), OPTIONS[0], ["а", "un hug", "`un` `hug`"]),
        (exercises.Choice(), OPTIONS[1], ["b", "B", "(b)", "b.", "b)", "option b", "Ｂ", "'b'"]),
        (
            exercises.Choice(),
            OPTIONS[1],
            ["The merge comes first", "b. The merge comes first"],
        ),
        (exercises.Choice(), OPTIONS[0], ["`un` + `hug`", "un+hug"]),
        (exercises.Choice(), OPTIONS[2], ["c", "с", "(c) neither", "Neither."]),
        (
            Ordering(),
            ["z", "x", "y"],
            [
                "c a b",
                "cab",
                "c, a, b",
                "c > a > b",
                "c→a→b",
                "c.a.b",
                "answer: c a b",
                "(c) (a) (b)",
                "C A B",
                "с а b",
                "с а б",
                ["z", "x", "y"],
                "z, x, y",
                "z > x > y",
                "1. z\n2. x\n3. y",
            ],
        ),
        (Number(), 5, ["25 - 20"]),  # which is a difference; `20 - 25` is a range
        (Number(), 128, ["128!", "#128", "№ 128", "128 tokens!"]),
        (Number(), 21, ["twenty-one", "Twenty-one tokens", "36 - 15", "36-15", "44 - 20 - 3"]),
        (Number(), 0, ["none", "44 - 24 - 20"]),
        (Number(), 105, ["one hundred and five", "a hundred five", "1 hundred 5", "310 // 2 - 50"]),
        (Number(), 2500, ["two thousand five hundred", "2.5 thousand", "7500 // 3"]),
        (Number(), 0.75, ["three quarters", "(15 % 4) / 4"]),
        (Text(), "hug", ["hu + g", "hu+g", "print('hug')", "It would be hug!"]),
        (Number(), 12, ["print(12)", "float(12)", "Out[1]: 12", "In [3]: 12", ">>> 6 + 6\n12"]),
        (Number(), 6, ["6 (3 characters + 2 merges + 1 special)", "3 characters + 3 merges = 6"]),
        (Number(), 4, ["4 (true, 1], 0, false)", "4 tokens: fal, 20, 1], 0"]),
        (Number(), 54, ["110110 = 54", "54, since 654 mod 100", "50 + 4 = 54, because it is 54"]),
        (
            Number(),
            488,
            ["20500 / 42 = 488", "488, rounded down from 488.1", "488.9, rounded down to 488"],
        ),
        (Number(digits=2), 0.35, ["0.35, rounded to 2 decimals", "0.35 (rounded from 0.348)"]),
        (Tokens(), ["un", "hug"], ["print(['un', 'hug'])"]),
        (Tokens(), ["un@@", "hug", "low"], ["un@@hug low"]),
        (Tokens(), ["un", "##hug", "low"], ["un##hug low"]),
        (
            Text(case=True),
            "Zb",
            [
                "the part is Zb",
                "Out[1]: 'Zb'",
                ">>> s[:2]\n'Zb'",
                "the pair Zb",
                'the text is "Zb"',
                ">>> 'Zb'",
                "='Zb'",
            ],
        ),
        (
            Tokens(),
            ["a", "a"],
            ["Out[1]: ['a', 'a']", ">>> ['a', 'a']", "It gives ['a', 'a']", "=['a', 'a']"],
        ),
        (Tokens(), ["a</w>", "b"], ["a</w> / b"]),
        (Tokens(), ["a", "Ġ", "Ġb"], ["['a', ' ', ' b']", "['a' ' ' ' b']", ["a", " ", " b"]]),
        (Tokens(), ["z", "<0xC3>", "<0x9F>"], ["z <0xc3> <0x9f>", ["z", "<0xc3>", "<0x9f>"]]),
        (Number(), 8, ["8 (w ##i ##d)", "8 tokens (the ones with ▁ too)"]),
        (Number(), 41.25, ["41 1/4", "41¼", "41 ¼"]),
        (Number(digits=2), 0.36, ["36 percent", "36 per cent", "0·36"]),
        (Merges(), [("be", "ll")], ["<be, ll>", "be → ll", "bell = be + ll", "first merge: be+ll"]),
        (
            Merges(),
            [("u", "g"), ("h", "ug")],
            [
                "<u, g>, <h, ug>",
                "1. u+g 2. h+ug",
                "- u+g\n- h+ug",
                "u+g → h+ug",
                "ug = u+g, hug = h+ug",
                "u g | h ug",
            ],
        ),
        (Merges(), [("e", "s</w>")], ["e+s</w>", "e s</w>", "(e, s</w>)"]),
        (exercises.Choice(), OPTIONS[2], ["c!", "c?", "letter c", "It's c", "c。", "「c」"]),
        (
            exercises.Choice(),
            OPTIONS[1],
            [
                "merge, option b",
                "option b: merge",
                "b, because it saves 5",
                "b: merge",
                "(b) comes first",
                "b (the merge)",
                "b is false",
            ],
        ),
        (exercises.Choice(), OPTIONS[1], ["merge (b)", '"The merge comes first" (b)', "merge, b"]),
        (exercises.Choice(), OPTIONS[1], ["2nd", "the second one", "It is the second option."]),
        (exercises.Choice(), OPTIONS[2], ["last", "The third.", "neither [c]"]),
        (Number(), 22, ["They become [UNK] 22 times", "22 words become `[UNK]`", "`##s`: 22"]),
        (Number(), 12, ["twelve", "Twelve tokens", "approx. 12", "about twelve", "twelve (12)"]),
        (Number(), 3, ["3 of 5", "three of the five", "3 out of 5 words", "3rd"]),
        (Number(), 64, ["8x8", "8 x 8 tokens", "×64", "64-fold", "2**6 ways"]),
        (Number(), 2, ["twice"]),
        (Number(digits=2), 0.5, ["1 of 2", "one of the two", "half", "50 percent"]),
        (
            Number(unit="cents"),
            918,
            "918¢; 918 ct; 9.18 $; $9.18; 9,18 €; US$ 9.18; USD 9.18; 9.18 dollars; 9 dollars 18; "
            "918 cents (9.18 $); $9.18 = 918 cents; 9 dollars and 18 cents".split("; "),
        ),
        (
            Number(unit="seconds"),
            100,
            "100s; 1:40; 1:40 min; 1m40s; 1 min 40 s; 1 min 40; 1 minute and 40 seconds".split(
                "; "
            ),
        ),
        (Number(unit="MB"), 624, ["624 MB", "0.624 GB", "624,000,000 bytes", "624e6 B"]),
        (Tokens(), ["un", "hug"], ["both un and hug", "un|hug (2 tokens)", "un hug, I think"]),
        (Tokens(), ["<0xC3>"], ["0xC3", "<0xc3>"]),
        (Tokens(), ["▁un", "hug"], ["_un hug", "_un|hug"]),
        (Merges(), [("u", "g")], ["u with g", "I guess u+g", "u g, which occurs 534 times"]),
        (Merges(), [("u", "g")], ["u+g (count 20)", "the pair (u, g) 0.00099", "u g (124)"]),
        (Ordering(), ["z", "x", "y"], ["1st c, 2nd a, 3rd b", "c first, then a, b last"]),
        (
            Ordering(),
            ["z", "x", "y"],
            ["c、a、b", "(c)(a)(b)", "c then a then b", "c, a and b"],
        ),
    ],
)
def test_a_right_answer_is_right_in_every_dress(kind, answer, typed):
    listed = sorted(answer) if isinstance(kind, Ordering) else OPTIONS
    for way in typed:
        feedback = judged(kind, asked(answer), way, listed if kind.lettered else [])
        assert feedback.outcome == "correct", (way, feedback)


AROUND = (  # what people write around an answer
    "It is {}; = {}; **{}**; ```\n{}\n```; 「{}」; 『{}』; ‹{}›; {}。; the answer is {}; I think {}; result: {}"
).split("; ")
BETWEEN = (  # and around its parts
    "{} → {}; {} -> {}; {} => {}; 1. {} 2. {}; 1) {}, 2) {}; 1. {}\n2. {}; - {}\n- {}; * {}\n* {}; • {}\n• {}; "
    "**{}** **{}**; 「{}」「{}」; x = ['{}', '{}']; ['{}' '{}']; <{}, {}>; tokens in order: {}, {}; {} and {}; "
    "“{}” → “{}”"
).split("; ")


@pytest.mark.parametrize(
    "kind, answer, shown",
    [
        (Number(), 128, "128"),
        (Text(), "bun", "bun"),
        (Tokens(), ["un", "hug"], "un|hug"),
        (exercises.Segmentation(), ["un", "hug"], "un|hug"),
        (Merges(), [("u", "g"), ("h", "ug")], "u+g, h+ug"),
        (exercises.Choice(), OPTIONS[1], "b"),
        (Ordering(), ["neither", *OPTIONS[:2]], "c a b"),
    ],
    ids=lambda value: getattr(value, "name", ""),
)
@pytest.mark.parametrize("around", AROUND)
def test_an_answer_is_read_in_what_people_write_around_it(kind, answer, shown, around):
    listed = ["unhug"] if isinstance(kind, exercises.Segmentation) else OPTIONS
    assert judged(kind, asked(answer), around.format(shown), listed).outcome == "correct"


@pytest.mark.parametrize("around", BETWEEN)
def test_the_parts_of_an_answer_are_read_in_what_people_write_between_them(around):
    tokens, cut = asked(["un", "hug"]), around.format("un", "hug")
    assert judged(Tokens(), tokens, cut, []).outcome == "correct"
    assert judged(exercises.Segmentation(), tokens, cut, ["unhug"]).outcome == "correct"
    order = asked(["yes", "no"])
    assert judged(Ordering(), order, around.format("b", "a"), ["no", "yes"]).outcome == "correct"


@pytest.mark.parametrize(
    "kind, right, typed, outcome",
    [
        (Number(unit="cents"), 170, "170 $", "incorrect"),
        (Number(unit="cents"), 170, "1.70", "incorrect"),
        (Number(unit="seconds"), 100, "100 minutes", "incorrect"),
        (Number(unit="seconds"), 100, "1 min 4 s", "incorrect"),
        (Number(unit="MB"), 60, "60 GB", "incorrect"),
        (Number(digits=2), 1, "1 of 2", "incorrect"),
        (Number(), 8, "3 of 8", "incorrect"),
        (Number(), 8, "3 (remainder 8)", "incorrect"),
        (Number(), 8, "3 (8 tokens and 4 merges)", "incorrect"),
        (Number(), 8, "8 (3 tokens and 4 merges)", "correct"),
        (Number(), 8, "3 + 5, which is 8", "correct"),
        (Number(), 8, "8 (small 5, tall 3)", "correct"),
        (Number(), 8, "8 (small 5, tall 2)", "invalid"),
        (Number(), 8, "8 (9.1)", "invalid"),
        (Number(), 4, "4 (counting from 0)", "correct"),
        (Number(), 4, "4 (5 from 1)", "invalid"),
        (Number(), 3, "3 (4, 5 and 6)", "correct"),
        (Number(), 4, "3 (4, 5 and 6)", "incorrect"),
        (Number(), 39, "39 whole pages (39.16)", "correct"),
        (Number(digits=2), 0.75, "3/4 (6 of 8)", "correct"),
        (Number(digits=2), 0.75, "3/4 (5 of 8)", "invalid"),
        (Number(), 31, "31 (of 44)", "correct"),
        (Number(), 3, "three: ug, hug, hugs", "correct"),
        (Number(), 5, "never", "incorrect"),
        (exercises.Choice(), OPTIONS[1], "neither (b)", "invalid"),
        (exercises.Choice(), OPTIONS[1], "neither, not b", "invalid"),
        (exercises.Choice(), OPTIONS[1], "both a and b", "invalid"),
        (exercises.Choice(), OPTIONS[1], "not b, because it saves 5", "invalid"),
        (exercises.Choice(), OPTIONS[1], "neither, option b", "invalid"),
        (exercises.Choice(), OPTIONS[1], "a+b", "invalid"),
        (exercises.Choice(), OPTIONS[1], "b, it ends in C3", "correct"),
        (exercises.Choice(), OPTIONS[1], "b (0xFD)", "correct"),
        (exercises.Choice(), OPTIONS[1], "a (0xFD)", "incorrect"),
        (exercises.Choice(), OPTIONS[1], "b (un hug)", "invalid"),
        (exercises.Choice(), OPTIONS[1], "b, it is a pair", "correct"),
        (exercises.Choice(), OPTIONS[1], "b, a is right", "invalid"),
        (exercises.Choice(), OPTIONS[1], "b, or so it seems", "invalid"),
        (exercises.Choice(), OPTIONS[0], ("un", "hug"), "correct"),
        (exercises.Choice(), OPTIONS[1], "first", "invalid"),  # by its place, or by its text?
        # rounding is accepted to the digits asked for, and no further
        (Number(), 25, "25 %", "incorrect"),
        (Number(), 0.25, "25 %", "correct"),
        (Number(digits=2), 2 / 3, "0.67", "correct"),
        (Number(digits=2), 2 / 3, "2/3", "correct"),
        (Number(digits=2), 2 / 3, "0.6667", "correct"),
        (Number(digits=2), 2 / 3, "0.66", "incorrect"),
        (Number(digits=0), 10, 10.51, "correct"),  # half of the last digit, and a little for floats
        (Number(digits=0), 10, 10.53, "incorrect"),
        (Number(digits=2), 1, "1.0051", "correct"),
        (Number(digits=2), 1, "1.0053", "incorrect"),
        (Number(digits=2), 1, "0.9949", "correct"),
        (Number(digits=2), 1, "0.9947", "incorrect"),
        (Number(significant=2), 50, "50.25", "correct"),
        (Number(significant=2), 50, "52.8", "incorrect"),
        (Number(significant=2), 0.514, "0.51", "correct"),
        (Number(significant=3), 0, "0", "correct"),
    ],
)
def test_what_is_read_in_more_dresses_does_not_let_a_wrong_answer_pass(kind, right, typed, outcome):
    try:
        assert judged(kind, asked(right), typed, OPTIONS).outcome == outcome
    except Invalid:
        assert outcome == "invalid"


@pytest.mark.parametrize(
    "id, typed",
    [
        ("compression-03", {"Y": "Zb", "X": "YY"}),
        ("compression-03", [("Y", "Zb"), ("X", "YY")]),
        ("compression-12", "rises by 1"),
        ("compare-08", "BPE < byte-level BPE < Unigram < WordPiece"),
    ],
)
def test_rules_and_names_are_read_as_a_program_or_a_person_writes_them(id, typed):
    assert load(id, seed={"compression-12": 103}.get(id, 101)).judge(typed).outcome == "correct"


def test_marks_that_are_kept_are_no_signs_between_words():
    feedback = load("compare-02", seed=11).judge("▁preering ▁hughug")
    assert (feedback.outcome, feedback.label) == ("incorrect", "marks-kept")


@pytest.mark.parametrize(
    "id, units",
    [
        ("fast-03", "ms days ns years MB cents"),
        ("fast-11", "bits PB GiB Mbit s €"),
        ("text-01", "pounds yen hundredths s MB"),
    ],
)
def test_a_number_in_a_unit_of_another_size_is_not_the_number(id, units):
    ex = load(id, seed=3)
    for unit in units.split():
        assert ex.judge(f"{ex.asked.answer} {unit}").outcome != "correct", unit


@pytest.mark.parametrize(
    "id, seed, answer",
    [
        ("text-02", 103, "We, ’, ll, see, it, all, ??"),
        ("text-08", 101, "'Größe für Männer'[11:14] = 'änn'"),
        ("wordpiece-03", 102, "раз ＃＃го ＃＃в ＃＃о ＃＃р"),
        ("unigram-15", 101, "我们学习　语言学"),
        ("bytes-09", 203, "z <0xC3><0xAB> n k"),
        ("wordpiece-04", 201, "[文人] [UNK] [中国 ##人]"),
        ("unigram-11", 201, "It removes ow, and, age, he, er"),
        ("lab-01", 203, "3,069 : 579 = 5.30"),
        ("wordpiece-02", 202, '("hu", "##gs") -> "hugs"'),
        ("bpe-02", 202, "The next merge is r + ent"),
        ("bpe-02", 202, "5. r + ent"),
        ("bpe-21", 203, "shugug → s hug ug"),
        ("compression-01", 201, ("Z", "k")),
        ("compression-13", 201, "('at</w>', 'c')"),
    ],
)
def test_what_other_keyboards_make_of_a_sign_and_an_equation_are_right(id, seed, answer):
    assert load(id, seed=seed).judge(answer).outcome == "correct"


def test_one_space_too_many_is_no_question_of_capitals():
    told = load("unigram-15", seed=103).judge("дом  стоит давно").message
    assert "capitals" not in told and "more than one space between two words" in told


@pytest.mark.slow
def test_a_wrong_value_stays_wrong_in_every_dress():
    for exercise_id in set(exercises.ids()) - set(CODE):
        ex = load(exercise_id, learner="dressed")
        for mistake in ex.asked.mistakes:
            for around in AROUND if mistake.value is not None else ():
                feedback = ex.judge(around.format(ex.kind.show(mistake.value)))
                assert feedback.label == mistake.label or feedback.outcome == "invalid", (
                    exercise_id,
                    around,
                    feedback,
                )


@pytest.mark.parametrize(
    "wrong, told",
    [
        ("52", "52 would be right if the pair stood in each of"),  # it does not stand in `там`
        ("37", "37 is what `мама` `мам` `мак` contribute. "),
        ("4", "Too small. "),  # and not: what 1 × 4 gives
    ],
)
def test_of_a_count_only_what_holds_is_said(wrong, told):
    assert load("bpe-01", seed=8, learner="ada").judge(wrong).message.startswith(told)


def test_of_many_signs_few_are_tried_and_the_one_that_parts_the_answer_is_among_them():
    assert len(sequences("".join(map(chr, range(0x2200, 0x2390))))) < 20
    tokens = [*"!?$%&~^+=.:", "a", "b"]
    assert tokens in sequences(" ⟡ ".join(tokens))


@pytest.mark.parametrize(
    "kind, typed",
    [
        (Number(), True),
        (Number(), "5!"),
        (Number(), "one or two"),
        (Number(), "three twenty"),
        (Number(), "sqrt(2)"),
        (Number(), float("nan")),
        (Number(), float("inf")),
        (Number(), [1]),
        (Number(), "1/0"),
        (Number(), "1e999999999"),
        (Number(), "3 or 4"),
        (Number(), "20 - 25"),
        (Number(), "7 + 4 = 12"),
        (Number(), "12 (7 + 4)"),
        (Number(), "5 is right, not 6"),
        *((Number(), typed) for typed in ("31E", "U+0312", "0x31E", "0x31e (hex)")),
        *(
            (Number(), typed)
            for typed in ("3 (4, not 5, 6)", "3 (4, 5)", "2 (1,234)", "110110 = 55")
        ),
        *((Number(), typed) for typed in ("20500 / 42 = 489", "55, since 654 mod 100")),
        *(
            (Number(), typed)
            for typed in ("5, because it is 6", "5, rounded down to 3", "5, rounded from 3.5")
        ),
        *((Number(), typed) for typed in ("5: no, six", "5: or four", "5 (or 6 tokens)")),
        *((Number(), typed) for typed in ("5, the other is 6", "left is 5 and right is 6")),
        *(
            (Number(), typed)
            for typed in ("not 5", "not: 5", "It isn't five.", "x != 5", "<= 5", "at least 5")
        ),
        *(
            (Number(), typed)
            for typed in ("more than 5", "almost 5", "5 or more", "5 is wrong", "twice 5", "no 5")
        ),
        *(
            (Number(), typed)
            for typed in ("there is no 5", "5 minus", "5 divided by", "5 -", "five plus")
        ),
        *(
            (Number(), typed)
            for typed in ("double 5", "5 squared", "5 times ten", "cannot be 5", "5 is too many")
        ),
        (exercises.Choice(), "!a"),
        (Number(), "a: 3, b: 4"),
        (Number(), "a1"),
        (Number(), "1 2"),
        *((Number(), typed) for typed in ("[not] 5", "`[isn't]` 5", "[3] or 5", "`##s` 3 `##t` 4")),
        (Number(), "2^x"),
        (Number(), "9**9**9"),
        (Number(), "1/(2-2)"),
        (Number(), "x" * 3000),
        (Number(), "1,234,5"),
        (Number(), "0x199"),
        (Number(), "1.234.5"),
        (Tokens(), []),
        (Tokens(), [1]),
        (Tokens(), 7),
        (Merges(), "u"),
        (Merges(), [("u",)]),
        (Merges(), [("u", 1)]),
        (Merges(), "u+g+h"),
        (Merges(), "0.00099"),
        (Text(), [1]),
        (exercises.Choice(), "e"),
        (Ordering(), "a a b"),
        (Ordering(), "a b"),
        (exercises.Segmentation(), "not|the|word"),
        (load("bpe-16").kind, "not a function"),
    ],
)
def test_what_cannot_be_read_is_invalid_and_says_what_is_wanted(kind, typed):
    with pytest.raises(Invalid, match=r"expected|Your pieces spell"):
        kind.readings(typed, ["hug", "pug", "bun"])
    with pytest.raises(Invalid, match="turn them round"):
        exercises.Segmentation().readings("ug|h", ["hug"])


@pytest.mark.parametrize(
    "id, wrong, told",
    [
        ("fast-14", "50", "That is 10 times too small. "),
        ("fast-02", "1/17", "That is the inverse: what is divided by what? "),
        (
            "fast-10",
            "61.6",
            "That is no whole number, and the answer is a whole number. It is what 15,771 / 256 gives. ",
        ),
        ("bpe-09", "249", "That is what 203 + 46 gives. "),
        ("real-04", "31364", "That is a figure of the question itself. "),
    ],
)
def test_where_an_exercise_speaks_in_general_it_begins_with_what_is_certain(id, wrong, told):
    ex = load(id, seed=0)
    assert ex.judge(wrong).message == told + ex.asked.evidence(Fraction(wrong))


@pytest.mark.parametrize(
    "typed, outcome, message",
    [
        ("cat mat : ://", "incorrect", "at token 3, `:`"),
        ("cat mat : cat mat ://", "incorrect", "at token 3, `:`"),
        ("cat mat ://", "correct", "Right."),
        ("Tokens: cat mat ://", "correct", "Right."),
    ],
)
def test_tokens_of_the_answer_are_no_label_before_a_colon(typed, outcome, message):
    question = Question("Cut it.", ["cat", "mat", "://"], [], [], "")
    exercise = exercises.exercise("class-01", "Cut", Tokens())(lambda rng: question)
    feedback = exercises.Instance(exercise).judge(typed)
    assert feedback.outcome == outcome and message in feedback.message


def test_where_the_answer_holds_an_unknown_token_nobody_is_asked_to_spell_the_text():
    message = load("wordpiece-10", seed=3).judge("all zzz cats sing").message
    assert message == "It goes wrong at token 2, `zzz`."


@pytest.mark.parametrize(
    "seed, id, wrong, told",
    [
        (0, "real-23", "return max(here, key=len)", "Give the whole function"),
        (20261124, "wordpiece-20", "@ -", "is no row of the table"),
        (
            20261124,
            "wordpiece-20",
            "e ##x",
            "its score is 0.00015. Among the pairs that occur 188 times",
        ),
        (20261124, "real-19", "84", "That leaves 4 of yours for the beginning and the end"),
        (20261124, "lab-07", "0.83", "That is 1 minus what it should be."),
        (20261124, "unigram-15", "▁собака, ▁кошка ▁и ▁мышка", "There is still a `▁` in your text."),
        (20261124, "unigram-15", "собака кошка и мышка", "But look at `собака`"),
        (20261124, "bytes-04", "Köln cup tea", "Both `ö` and the spaces are still to be written"),
        (20261124, "real-05", "otota", "The table has no `otota`."),
        (6389, "real-19", "54", "What comes before the first, and what after the last?"),
        (4453, "compare-07", "1.17", "The first digits are right, but the rest is cut off."),
        (201, "lab-01", "1504/579 = 2.59", "The first digits are right, but the rest is cut off."),
        (201, "lab-07", "1.9", "A probability is at most 1."),
        (202, "real-05", "ab a b", "`a` `b` are neighbors of yours, and together a token."),
        (201, "bpe-04", "e+n, en+t, p+en", "Merge 2: `en` `t` occurs 21 times at this point"),
        (203, "lab-07", "0.09+0.09+0.01 = 0.18", "and `0.09+0.09+0.01` is not `0.18`"),
        (8894, "compare-10", "4", "Even before the first merge there are 6 characters."),
        (7233, "fast-06", "43", "It occurs 23 times at first. Can a merge bring more of it?"),
        (2925, "bytes-09", "f C3 A4 l", "These are the right bytes."),
        (2729, "fast-10", "114", "Times 256, this is more than the whole number."),
        (2729, "fast-10", "40", "Times 256, this leaves 256 or more."),
        (20261124, "fast-15", "25", "Python needs"),
        (20261124, "wordpiece-01", "99", "The pair stands in"),
        (20261124, "text-04", "7", "A word that occurs again, such as `пёс`, needs one entry"),
        (20261124, "bpe-13", "b c d a", "This is the order when every word counts once."),
        (20261125, "bytes-14", "41", "each person has a skin color. How many have one?"),
        (
            20261125,
            "lab-02",
            "23",
            "There are fewer such languages. Of the others, Thai comes nearest, with",
        ),
        (
            20261125,
            "lab-02",
            "18",
            "There are more such languages. The last of them is Kazakh, with 4.623.",
        ),
        (
            20261125,
            "lab-02",
            "45%",
            "the answer is a whole number. Count languages: in how many of the 44",
        ),
        (20261125, "lab-05", "18769", "This comes out without the length of a page."),
        (20261125, "lab-05", "18769.2", "This comes out without the length of a page."),
        (20261125, "lab-08", "0.33", "What is saved, over what is left, comes out so."),
        (20261125, "unigram-01", "0.01", "This is the probability of `pug|s`, another way"),
        (20261125, "compression-02", "hYgYY", "at the right end, or when `Z` is put for `hc`."),
        (20261125, "compression-02", "hYgYY", "from left to right, leave another string."),
        (
            6,
            "fast-08",
            "6",
            "all 6 entries are counted, or when those that come off count twice.",
        ),
        (20261125, "fast-18", "s+in", "occurs 26 times, and another pair more often."),
        (20261125, "real-05", "c abc a", "token 1, `c`. Before each join, which two neighbors"),
        (20261125, "real-18", "лис т л ес", "right as far as `лис|т`; then `л` ends too early."),
        (20261125, "compare-04", "l+o", "Of equals, it takes the smallest ids"),
        (20261125, "wordpiece-11", "3", "Every symbol counts, once."),
        (0, "compare-10", "12", "That adds every pair of the beginning."),
        (1, "compare-10", "6", "how many different tokens the words consist of at the end."),
        (0, "real-19", "69", "when both ends are wrong. Does `add_generation_prompt=False`"),
        (1, "real-19", "69", "That counts one token around each message."),
        (2, "real-19", "45", "That has a part of the generation prompt."),
        (0, "text-06", "-9", "The size is right; look at the sign."),
        (1, "text-06", "17", "That counts an entry for 'no ending', too."),
        (0, "text-04", "9", "This is the number of spaces."),
        (1, "text-04", "7", "This counts repetitions."),
        (202, "text-08", "ûl", "This comes out when spaces are not counted."),
        (202, "text-09", "21", "This adds two characters for each accent."),
        (203, "real-22", "3", "This takes the number for finished."),
        (201, "real-22", "4", "With `]` the list is at its end."),
        (203, "real-19", "51", "Was `<|end|>` left out?"),
        (202, "fast-12", "606", "This counts bytes."),
        (203, "lab-06", "2/3", "if the end of the word counts as a border."),
        (202, "lab-06", "2/3", "the borders that only the tokenizer has."),
        (202, "unigram-14", "0.000625", "and no share yet"),
        (203, "wordpiece-09", "0.5", "What about P("),
        (201, "lab-05", "100", "100 pages would be 233,750 tokens."),
        (201, "bpe-03", "co|cocoa", "when a merge begins at the right end of the word."),
        (201, "bpe-13", "c d a b", "At place 3 you have `un`."),
        (203, "compare-08", "c b a d", "went through one round fewer."),
        (202, "wordpiece-13", "op ##e", "the alphabet has it first."),
        (202, "wordpiece-14", "о ##к, к ##о, ##о ##с", "when every word counts once."),
        (201, "unigram-05", "8", "This is the loss of one token that ends here."),
        (201, "bytes-02", "2033", "with those of the second byte in front."),
        (0, "fast-06", "30", "The counts of both pairs were added."),
        (2, "fast-06", "17", "The frequency of another word was taken off."),
        (3, "fast-14", "8.33", "These are minutes."),
        (0, "bytes-03", "72", "That is how many bits there are."),
        (101, "compression-04", "ddpddddsn", "Where `YpYYsn` has `Y`, yours has `dd`."),
        (102, "compression-14", "ppp|c|ppc", "`ppp` and `ppc` are equally long. Which of them was"),
        (102, "bpe-12", "9", "This gives a Cyrillic letter one byte"),
        (1, "fast-08", "5", "where the first row stands whose numbers agree"),
        (102, "fast-16", "d c b a", "is also the order of what is left"),
        (20261126, "text-15", "3.7", "This is close. Look at the rounding"),
        (20261126, "bytes-02", "391", "That is the first part times 32. How many bits"),
        (20261126, "real-06", "610", "it is the one that is missing."),
        (20261126, "real-06", "c", "A merge joins this to something else."),
        (20261126, "lab-06", "0.57", "This is F1"),
        (20261126, "lab-06", "1/3", "This is what it would be with one common border fewer."),
        (20261126, "compare-17", "2.46", "This is how many times as many bits model A needs."),
        (20261126, "unigram-08", "15", "This is the sum for the ways with `к`."),
        (201, "unigram-11", "er he age and ow", "That is exactly the other way round."),
        (
            20261125,
            "text-12",
            "def types_seen(words):\n"
            "    new = [word not in ''.join(words[:place]) for place, word in enumerate(words)]\n"
            "    return [sum(new[: end + 1]) for end in range(len(words))]",
            "A word that stands inside another one counts as seen here.",
        ),
        (
            20261125,
            "bpe-18",
            "def decode(tokens):\n"
            "    ended = [t.rstrip('</w>') + ' ' if t.endswith('</w>') else t for t in tokens]\n"
            "    return ''.join(ended).split()",
            "`decode(['w', 'w', 'w</w>'])` should give `['www']`",
        ),
    ],
)
def test_what_exercises_are_certain_of_is_about_this_answer(seed, id, wrong, told):
    assert told in load(id, seed=seed).judge(wrong).message


@pytest.mark.parametrize(
    "kind, right, wrong, told",
    [
        (Number(), 20, 21, "one too many"),
        (Number(), 20, 19, "one too few"),
        (Number(), 20, -20, "look at the sign"),
        (Number(), 20, 200, "10 times too large"),
        (Number(), 20, "1/20", "the inverse"),
        (Number(significant=3), 7 / 374, "53.4", "the inverse"),
        (Number(digits=2), 2.615, "4", "That is too large."),
        (Number(digits=3), 1 / 6, "0.333", "twice as much"),
        (Number(), 20, 40, "twice as much"),
        (Number(), Fraction(75, 2), "38", "was something rounded?"),
        (Number(digits=2), 1 / 8, "0.88", "1 minus what it should be"),
        (Number(), 20, 10, "half of what"),
        (Number(), 2000, 2001.5, "close, but too large"),
        (Number(), 20, 7, "too small"),
        (Number(), 0, 7, "too large"),
        (Text(case=True), "aab", "AAB", "the capitals"),
        (Text(), "a-b", "ab", "the signs"),
        (Text(case=True), "abc", "acb", "not in the right order"),
        (Text(case=True), "aaab", "aabb", "at character 3"),
        (Text(case=True), "aaab", "aa", "something is missing"),
        (Text(case=True), "aa", "aab", "it should end"),
        (Tokens(), ["a", "b"], ["b", "a"], "other way round"),
        (Tokens(), ["a", "##b"], ["a", "b"], "look at the marks, the first time at `b`"),
        (Tokens(), ["a", "b", "c"], ["a", "b"], "something is missing after token 2"),
        (Tokens(), ["a"], ["a", "b"], "there it should end"),
        (Tokens(), ["a", "b"], ["ab"], "Nothing is cut here yet."),
        (Merges(), [("u", "g")], [("g", "u")], "the wrong way round"),
        (Merges(), [("u", "g"), ("h", "u")], [("h", "u"), ("u", "g")], "not in the right order"),
        (Merges(), [("u", "g"), ("h", "ug")], [("u", "g"), ("x", "ug")], "at merge 2, `x+ug`."),
        (Merges(), [("u", "g"), ("h", "ug")], [("u", "g"), ("ug", "h")], "h`. Are left and right"),
        (Merges(), [("u", "g"), ("h", "ug")], [("u", "g")], "merge 1; it goes on until merge 2"),
        (Merges(), [("u", "g")], [("u", "g"), ("h", "ug")], "no more is asked for"),
        (exercises.Segmentation(), ["un", "hug"], ["unh", "ug"], "`unh` ends too late."),
        (exercises.Segmentation(), ["un", "hug"], ["un", "h", "ug"], "as far as `un`; then `h`"),
        (Ordering(), ["x", "y", "z", "w"], ["x", "z", "y", "w"], "changed places: z and y"),
        (Ordering(), ["x", "y", "z", "w"], ["x", "z", "w", "y"], "as far as place 1"),
        (Ordering(), ["x", "y", "z"], ["y", "z", "x"], "not that of `y`"),
    ],
)
def test_a_wrong_answer_is_told_what_is_certain(kind, right, wrong, told):
    assert told in judged(kind, asked(right), wrong, right if kind.lettered else []).message


@pytest.mark.parametrize(
    "kind, right, wrong, told",
    [
        (Number(), 20, 21, "That is one too many. Count them again."),
        (Number(), 20, 40, "That is twice as much as it should be. Count them again."),
        (Number(), 20, -20, "The size is right; look at the sign. Too large. Count them again."),
        (Number(digits=2), 0.25, 25, "That is 100 times too large. Count them again."),
        (Number(digits=2), 0.8, 1.25, "That is the inverse: what is divided by what? Too large."),
        (Number(), 20, 33, "Too large. Count them again."),
        (Text(), "ug", "hugs", "The right text is in it, with something around it. Too large."),
        (Tokens(), ["a", "b"], ["b", "a"], "That is exactly the other way round. Too large."),
        (Tokens(), ["a", "bc"], ["a", "b", "c"], "Nothing is joined here yet. Too large."),
        (Tokens(), ["a", "b", "c"], ["b", "c"], "The first token is missing; from there on it is"),
        (Merges(), [("u", "g")], [("g", "u")], "Left and right are the wrong way round. Too large"),
        (Ordering(), ["x", "y", "z"], ["y", "x", "z"], "Two neighbors have changed places. Too"),
    ],
)
def test_what_is_certain_is_said_before_the_exercise_s_own_words(kind, right, wrong, told):
    """Where these spoke in general, many slips were told no more than where to begin."""
    question = asked(right, evidence=lambda value: "Too large. Count them again.")
    feedback = judged(kind, question, wrong, right if kind.lettered else [])
    assert feedback.message.startswith(told) and not feedback.label


@pytest.mark.parametrize(
    "kind, question, typed, message",
    [
        (Number(), asked(20, 21, 7), 21, "One too many. That is a mistake."),
        (Number(), asked(20, 21, 7), 7, "That is a mistake."),
        (
            Number(digits=2),
            asked(68 / 26, 2.6),
            "2.6",
            "Rounded to fewer digits, this would be right; give it to 2 decimals. Or, if you did not round: "
            "That is a mistake.",
        ),
    ],
)
def test_a_named_mistake_is_told_after_what_is_certain(kind, question, typed, message):
    feedback = judged(kind, question, typed, [])
    assert feedback.label and feedback.message == message


MERGES = [("u", "g"), ("u", "n"), ("h", "ug"), ("p", "ug")]
ORDER = ["x", "y", "z", "w"]


@pytest.mark.parametrize(
    "kind, right, given, score",
    [
        (Merges(), MERGES, MERGES[:1], 0.25),
        (Merges(), MERGES, MERGES[:2], 0.5),
        (Merges(), MERGES, MERGES[:3], 0.75),
        (Merges(), MERGES, MERGES, 1),
        (Merges(), MERGES, [*MERGES, ("b", "un")], 0),
        (Merges(), MERGES, [*MERGES[:2], MERGES[3], MERGES[2]], 0.5),
        (Merges(), MERGES, MERGES[1:], 0),
        (Ordering(), ORDER, ["x", "y", "w", "z"], 0.5),
        (Ordering(), ORDER, ORDER[::-1], 0),
        (Ordering(), ORDER, ORDER, 1),
        (Tokens(), ["a", "b"], ["a", "c"], 0),
    ],
)
def test_partial_credit_is_for_what_is_right_from_the_beginning(kind, right, given, score):
    assert judged(kind, asked(right), given, ORDER).score == score


@pytest.mark.parametrize(
    "kind, question",
    [
        (Number(), asked(20, 21, 20)),
        (Number(), asked(20, 21, accept=lambda value: value == 21)),
        (Number(digits=1), asked(0.5, 0.52)),
        (exercises.Choice(), asked("a", "b", "b")),
    ],
)
def test_figures_that_do_not_tell_mistakes_apart_are_not_asked(kind, question):
    assert kind.settled(question) is None
    assert kind.settled(asked("a", "b") if kind.lettered else asked(20, 21, None, 21))


def test_a_named_mistake_leaves_room_for_another_way_to_its_value():
    question = asked(20, 7, evidence=lambda value: "That is certain.")
    known, unknown = (judged(Number(), question, typed, []) for typed in (7, 8))
    assert known.message.endswith("\n\nIf you came to it in another way: That is certain.")
    assert known.evidence == unknown.evidence == "" and unknown.message == "That is certain."


def test_of_two_mistakes_with_one_value_both_are_named():
    question = asked(20, 7, None, 7, 7, 8)
    question.mistakes[2] = Mistake("another", 7, "That is another.")
    kept = Number().settled(question).mistakes
    assert [mistake.value for mistake in kept] == [7, None, None, None, 8]
    assert kept[0].message == (
        "More than one mistake leads to this answer:\n\n- That is a mistake.\n- That is another."
    )
    assert Number(digits=1).settled(asked(20, 0.31, 0.33)).mistakes[1].value is None


@pytest.mark.parametrize("typed", ["1.12", "1.13", "1.125", "9/8"])
def test_a_mistake_halfway_between_two_numbers_is_known_by_both(typed):
    question = Number(digits=2).settled(asked(20, Fraction(9, 8)))
    assert judged(Number(digits=2), question, typed, []).label


def test_lines_that_were_given_are_no_example_that_was_copied():
    assert (
        "stands in your code" not in load("real-24", seed=20261126).judge("b e c f a d g").message
    )


@pytest.mark.parametrize(
    "id, typed, outcome",
    [
        ("real-06", "ca, because its id is 180", "invalid"),
        ("real-06", "ca: its id is lower", "invalid"),
        ("real-06", "ca - its id falls", "invalid"),
        ("real-06", "cat, because its id is 611", "incorrect"),
        ("real-13", "my sing ing, because ing is a token", "invalid"),
        ("real-13", "my sing i ng, because ing is a token", "incorrect"),
        ("bytes-07", "Page Ġ 123 983 33 (digits in threes)", "invalid"),
        ("unigram-02", "t a ller (3 + 4 + 12 = 19)", "correct"),
        ("wordpiece-15", "neww becomes [UNK]", "incorrect"),
        ("wordpiece-15", "ideower, not neww", "invalid"),
        ("wordpiece-15", "ideower does not become [UNK]", "invalid"),
        ("bytes-02", "2E7", "invalid"),
        ("compression-15", "t + t", "invalid"),
        ("compression-03", "Z is taken; Y = kc; X = ZY", "invalid"),
        ("compression-03", "Z is taken; Y = kc; X = kZ", "incorrect"),
    ],
)
def test_a_reason_beside_an_answer_and_another_form_cost_no_attempt(id, typed, outcome):
    assert load(id, seed=20261126).judge(typed).outcome == outcome


@pytest.mark.parametrize(
    "id, seed, typed, outcome",
    [
        ("text-08", 203, "èv (from Genève)", "invalid"),
        ("text-08", 203, "èv in Genève", "invalid"),
        ("text-08", 203, "èv (or vè)", "incorrect"),
        ("text-08", 203, "vè (from Genève)", "incorrect"),
        ("compression-02", 201, "ZgkYcY with Z=gg, Y=Zk", "invalid"),
        ("compression-04", 203, "YmYY -> ZgmZgZg -> mbgmmbgmbg", "invalid"),
        ("compression-04", 203, "YmYY = mbgmmbgmbx", "incorrect"),
    ],
)
def test_the_working_of_a_text_costs_no_attempt_and_makes_no_answer_right(id, seed, typed, outcome):
    assert load(id, seed=seed).judge(typed).outcome == outcome


@pytest.mark.parametrize(
    "kind, right, typed, wanted",
    [
        (Number(significant=3), 7 / 374, "0.02", "3 significant digits are asked for."),
        (Number(significant=3), 0.00983, "0.0098", "3 significant digits are asked for."),
        (Number(significant=2), 0.51, "0.5", "2 significant digits are asked for."),
        (Number(digits=2), 2.615, "2.6", "would be right; give it to 2 decimals."),
        (Number(digits=2), 2.615, "3", "would be right; give it to 2 decimals."),
        (Number(digits=1), 1.826, "2", "would be right; give it to 1 decimal."),
    ],
)
def test_who_rounds_too_far_is_asked_for_more_digits(kind, right, typed, wanted):
    with pytest.raises(Invalid, match=wanted):
        judged(kind, asked(right), typed, [])


@pytest.mark.parametrize(
    "typed, outcome",
    [
        ("{}", "correct"),
        *((typed, "invalid") for typed in ("not {}", "never {}", "{} is wrong", "{}? no")),
    ],
)
def test_words_that_overturn_a_right_answer_are_no_answer(typed, outcome):
    ex = load("compression-02", seed=1)
    assert ex.judge(typed.format(ex.asked.answer)).outcome == outcome


def test_a_number_says_how_much_it_is():
    for typed, value in ("1.2k", 1200), ("3 billion", 3 * 10**9), ("minus 2.5", Fraction(-5, 2)):
        assert Number().readings(typed) == [value]
