"""Damaged forms of a file."""


def damages(whole):
    """One bit of every third byte, every 40th length, something behind it, other files."""
    for place in range(0, len(whole), 3):
        flipped = whole[place] ^ (1 << place % 8)
        yield whole[:place] + bytes([flipped]) + whole[place + 1 :]
    yield from (whole[:length] for length in range(0, len(whole), 40))
    yield from (whole[:-1], b"PAR1", b"PK", bytes(len(whole)))
