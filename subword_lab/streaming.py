"""Texts from files larger than memory, a line at a time, and what in them is no UTF-8."""

from collections.abc import Callable, Iterable, Iterator
from typing import BinaryIO

LONGEST_LINE = 1 << 20  # bytes; a longer line comes in parts


class NotUTF8(Exception):
    """Bytes that are no UTF-8, with the file and the offset where they stand."""


def lines(
    file: BinaryIO,
    name: str,
    *,
    replace: bool = False,
    first: int = 0,
    progress: Callable[[int], None] = lambda count: None,
) -> Iterator[str]:
    """The lines of a file opened for bytes, each with its line end.

    A line of more than LONGEST_LINE bytes comes in parts, cut between a letter and a space if there is one, where
    every scheme cuts too. replace: bytes that are no UTF-8 become U+FFFD; else they are a NotUTF8. first: where in the
    file reading begins. progress: is told how many bytes each line had.

    >>> import io
    >>> list(lines(io.BytesIO("hug\\nbün".encode()), "hugs.txt"))
    ['hug\\n', 'bün']
    >>> list(lines(io.BytesIO(b"hug\\nb\\xfcn"), "hugs.txt"))
    Traceback (most recent call last):
    subword_lab.streaming.NotUTF8: hugs.txt: the byte 0xFC at offset 5 is no UTF-8
    """
    offset, rest = first, b""
    while data := rest + (more := file.readline(LONGEST_LINE)):
        whole = more.endswith(b"\n") or len(more) < LONGEST_LINE
        end = len(data) if whole else _border(data)
        try:
            yield data[:end].decode("utf-8", "replace" if replace else "strict")
        except UnicodeDecodeError as error:
            raise NotUTF8(
                f"{name}: the byte 0x{data[error.start]:02X} at offset {offset + error.start} is no "
                "UTF-8"
            ) from None
        offset, rest = offset + end, data[end:]
        progress(end)


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
    """Where to cut a line: before its last space that follows a letter, or at least between two characters."""
    end = data.rfind(b" ")
    while end > 0 and not data[end - 1 : end].isalpha():
        end = data.rfind(b" ", 0, end)
    if end > 0:
        return end
    end = len(data) - 1
    while end > len(data) - 4 and data[end] & 0xC0 == 0x80:
        end -= 1
    return end
