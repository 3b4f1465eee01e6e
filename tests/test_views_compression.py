"""The compressor on the page: forward, and back the way it came."""

import re

import pytest
from test_views import Page

from subword_lab import compression
from subword_lab.views import compression_stepper

COMPRESSED = compression.compress("aaabdaaabac")


def frames(player):
    return [Page(frame).text for frame in player.frames]


def test_every_state_is_shown_with_both_sizes():
    sizes = [
        re.search(r"\d+ symbols, and a table of \d+: \d+ in all", frame)[0]
        for frame in frames(compression_stepper(COMPRESSED))
    ]
    assert sizes[:4] == [
        "11 symbols, and a table of 0: 11 in all",
        "9 symbols, and a table of 3: 12 in all",
        "7 symbols, and a table of 6: 13 in all",
        "5 symbols, and a table of 9: 14 in all",
    ]
    assert sizes[4:] == sizes[2::-1]


@pytest.mark.parametrize("script", ["хо хо хо", "人人为我，我为人人", "ကကကခကကက", "<&<&<&"])
def test_any_script(script):
    player = compression_stepper(compression.compress(script))
    assert Page(player._repr_html_()).text.count(" in all") == len(player.frames)
    assert player.labels[-1].endswith(script)


@pytest.mark.parametrize(
    "call, message",
    [
        (
            lambda: compression_stepper("XdXac"),
            "compressed is 'XdXac'; expected what compression.compress makes",
        ),
        (
            lambda: compression_stepper(compression.compress(b"aaaa")),
            "expected what compression.compress makes of a str",
        ),
        (
            lambda: compression_stepper(compression.compress("ab" * 40)),
            "compressed holds 80 symbols; expected at most 60",
        ),
        (lambda: compression_stepper(COMPRESSED, top=0), "top is 0"),
    ],
)
def test_bad_input_is_told(call, message):
    with pytest.raises(ValueError, match=message):
        call()
