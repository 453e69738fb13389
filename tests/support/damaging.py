"""Damaged forms of a file."""

import struct
import zlib


def damages(whole):
    """One bit of every third byte, every 40th length, something behind it, other files."""
    for place in range(0, len(whole), 3):
        flipped = whole[place] ^ (1 << place % 8)
        yield whole[:place] + bytes([flipped]) + whole[place + 1 :]
    yield from (whole[:length] for length in range(0, len(whole), 40))
    yield from (whole[:-1], b"PAR1", b"PK", bytes(len(whole)))


def png_that_promises(side):
    """Write the head of an image of `side` x `side` pixels, and one byte of them."""
    written = b"\x89PNG\r\n\x1a\n"
    for content in (
        b"IHDR" + struct.pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0),
        b"IDAT" + zlib.compress(b"\0"),
        b"IEND",
    ):
        length, check = len(content) - 4, zlib.crc32(content)
        written += struct.pack(">I", length) + content + struct.pack(">I", check)
    return written
