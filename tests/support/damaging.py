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
    """Write the head of an image of `side` x `side` pixels, and none of them."""
    head = b"IHDR" + struct.pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0)
    chunk = struct.pack(">I", 13) + head + struct.pack(">I", zlib.crc32(head))
    return b"\x89PNG\r\n\x1a\n" + chunk
