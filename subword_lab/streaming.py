"""Texts from files larger than memory, some lines at a time, and what in them is no UTF-8."""

import math
from collections.abc import Callable, Iterable, Iterator
from io import BufferedIOBase, StringIO
from typing import Any

LONGEST_LINE = 1 << 22  # bytes; a longer line comes in parts


class NotUTF8(Exception):
    """Bytes that are no UTF-8, with the file and the offset where they stand."""


def blocks(
    file: BufferedIOBase,
    name: str,
    *,
    replace: bool = False,
    first: int = 0,
    stop: float = math.inf,
    progress: Callable[[int], None] = lambda count: None,
) -> Iterator[str]:
    """The text of a file opened for bytes, as it comes: several whole lines, or one without a line end.

    A line of more than LONGEST_LINE bytes comes in parts, cut between a letter or sign and a space if there is one,
    where every scheme cuts too. replace: bytes that are no UTF-8 become U+FFFD; else they are a NotUTF8. first, stop:
    the offsets where reading begins and ends. progress: is told how many bytes each block had.

    >>> import io
    >>> list(blocks(io.BytesIO("hug\\nbün\\npug".encode()), "hugs.txt"))
    ['hug\\nbün\\n', 'pug']
    >>> list(blocks(io.BytesIO(b"hug\\nb\\xfcn"), "hugs.txt"))
    Traceback (most recent call last):
    subword_lab.streaming.NotUTF8: hugs.txt: the byte 0xFC at offset 5 is no UTF-8
    """
    offset, data, ended = first, b"", False
    while not ended:
        more = file.read1(int(min(LONGEST_LINE, stop - offset)) - len(data))
        data, ended = data + more, not more
        end = data.rfind(b"\n") + 1
        if not end and len(data) >= LONGEST_LINE:
            end = _border(data)
        elif ended:
            end = len(data)
        if end:
            try:
                yield data[:end].decode("utf-8", "replace" if replace else "strict")
            except UnicodeDecodeError as error:
                raise NotUTF8(
                    f"{name}: the byte 0x{data[error.start]:02X} at offset {offset + error.start} is "
                    "no UTF-8"
                ) from None
            offset, data = offset + end, data[end:]
            progress(end)


def lines(file: BufferedIOBase, name: str, **options: Any) -> Iterator[str]:
    """The lines of a file opened for bytes, each with its line end, or parts of it; options: those of `blocks`.

    >>> import io
    >>> list(lines(io.BytesIO("hug\\nbün".encode()), "hugs.txt"))
    ['hug\\n', 'bün']
    """
    for text in blocks(file, name, **options):
        yield from StringIO(text, newline="\n")


def batches(texts: Iterable[str], size: int) -> Iterator[list[str]]:
    """Texts in lists, each as soon as its texts have so many characters.

    >>> list(batches(["hug", "a", "pug", "bun"], 4))
    [['hug', 'a'], ['pug', 'bun']]
    """
    batch, length = list[str](), 0
    for text in texts:
        batch.append(text)
        length += len(text)
        if length >= size:
            yield batch
            batch, length = [], 0
    if batch:
        yield batch


def _border(data: bytes) -> int:
    """Where to cut a line: before its last space that follows a letter or sign, or between two characters."""
    end = data.rfind(b" ")
    while end > 0 and not ord(" ") < data[end - 1] < 0x7F:
        end = data.rfind(b" ", 0, end)
    if end > 0:
        return end
    end = len(data) - 1
    while end > len(data) - 4 and data[end] & 0xC0 == 0x80:
        end -= 1
    return end
