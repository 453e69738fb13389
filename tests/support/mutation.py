"""Damaged copies of files, and what a call says of them."""

import zipfile

import pytest

from accuracy_curves.exceptions import InputError
from tried import HOW


def how_many(slow):
    return pytest.mark.parametrize(
        "cases",
        [
            pytest.param(80, id="80"),
            pytest.param(slow, id=str(slow), marks=pytest.mark.slow),
        ],
    )


def mutated(whole, chance):
    """Flip, drop, repeat or insert bytes, or cut the end: one to four times."""
    data = bytearray(whole)
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(data) + 1)
        length = chance.choice([1, 1, 1, 4, 64])
        match chance.randrange(5):
            case 0 if at < len(data):
                data[at] ^= 1 << chance.randrange(8)
                HOW["a bit flipped"] += 1
            case 1:
                del data[at : at + length]
                HOW["bytes dropped"] += 1
            case 2:
                data[at:at] = data[at : at + length]
                HOW["bytes repeated"] += 1
            case 3:
                data[at:at] = chance.randbytes(length)
                HOW["random bytes inserted"] += 1
            case _:
                del data[at:]
                HOW["end cut off"] += 1
    return bytes(data)


def flipped(whole, chance, end=None):
    """Flip one to three bits, of the first bytes or of all."""
    data = bytearray(whole)
    for _ in range(chance.randint(1, 3)):
        data[chance.randrange(min(end or len(data), len(data)))] ^= 1 << chance.randrange(8)
        HOW["a bit flipped"] += 1
    return bytes(data)


def repacked(path, members, chance):
    """Write a zip file of which one member, or its first 128 bytes, was damaged before."""
    hurt = chance.choice(sorted(members))
    whole, cut = members[hurt], chance.choice([128, len(members[hurt])])
    if chance.random() < 0.5:
        content = flipped(whole, chance, cut)
    else:
        content = mutated(whole[:cut], chance) + whole[cut:]
    with zipfile.ZipFile(path, "w") as archive:
        for name, one in (members | {hurt: content}).items():
            archive.writestr(zipfile.ZipInfo(name), one)
    return hurt, content


def sentence(call, *arguments):
    """Return what a call returns and, where it refuses its input, the one sentence it says."""
    try:
        return call(*arguments), ""
    except InputError as error:
        said = str(error)
    assert said
    assert said.isprintable()
    return None, said
