#!/usr/bin/env python3
"""Our JSON reader beside Python's, which nobody here wrote.

usage: oracle.py DUMP FILE...

DUMP reads a text and writes it again (dump.c). Every FILE that Python reads must come back equal; every one that it
refuses, and every damaged variant made here from a fixed seed, must be refused by both or read equally by both. Random
numbers must be the same doubles to the last bit.
"""
import json
import math
import random
import subprocess
import sys

DUMP, FILES = sys.argv[1], sys.argv[2:]
wrong = 0


class Refused(Exception):
    pass


def pairs(members):
    keys = [key for key, _ in members]
    if len(set(keys)) != len(keys):
        raise Refused("a key appears twice")
    return {key: fold(value) for key, value in members}


def fold(value):
    """What we make of a value: numbers are doubles, NaN and Infinity empty texts."""
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, (int, float)):
        try:
            number = float(value)
        except OverflowError:
            raise Refused("too large")
        return number
    if isinstance(value, list):
        return [fold(item) for item in value]
    if isinstance(value, str) and ("\0" in value or any(0xD800 <= ord(c) < 0xE000 for c in value)):
        raise Refused("NUL or half a surrogate pair")
    return value


def real(text):
    number = float(text)
    if math.isinf(number):
        raise Refused("too large")
    return number


def depth_of(value):
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if items is None else 1 + max([0] + [depth_of(item) for item in items])


def theirs(data):
    try:
        text = data.decode("utf-8-sig")
        value = fold(json.loads(text, object_pairs_hook=pairs, parse_constant=lambda word: "", parse_float=real))
    except (ValueError, Refused, RecursionError):
        return Refused
    keys = json.dumps(value, ensure_ascii=False)
    if "\\u0000" in keys or any(0xD800 <= ord(c) < 0xE000 for c in keys):
        return Refused
    return Refused if depth_of(value) > 64 else value


def ours(data):
    ran = subprocess.run([DUMP], input=data, capture_output=True)
    if ran.returncode not in (0, 1):
        raise SystemExit(f"the reader crashed: {ran.stderr.decode()[:500]}\non {data[:200]!r}")
    return Refused if ran.returncode else fold(json.loads(ran.stdout.decode()))


def compare(name, data):
    global wrong
    a, b = theirs(data), ours(data)
    if a != b:
        wrong += 1
        print(f"{name}: Python {'refuses' if a is Refused else 'reads'}, we {'refuse' if b is Refused else 'read'}: {data[:120]!r}")


def damage(rng, data):
    data = bytearray(data)
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(data)) if data else 0
        what = rng.randrange(4)
        if what == 0 and data:
            del data[at]
        elif what == 1:
            data.insert(at, rng.choice(b'{}[]",:0123456789.eE+-\\ untrfalse\n\xc3\xff'))
        elif what == 2 and data:
            data[at] = rng.choice(b'{}[]",:0\\x \xe2')
        else:
            data = data[:at]
    return bytes(data)


def check_numbers(rng):
    global wrong
    texts = ["0", "-0", "1e-400", "5e-324", "2.4703282292062327e-324", "1.7976931348623157e308", "9007199254740993",
             "0.1", "123456789012345678901234567890", "1e22", "1e23", "8.5e22", "0." + "0" * 350 + "1", "1" * 400, "1." + "0" * 400 + "e5", "1" + "0" * 395 + "e-390", "0." + "0" * 395 + "1e396",
             "2.2250738585072012" + "0" * 700 + "1e-308", "9007199254740993" + "0" * 500 + "1e-501"]
    for _ in range(4000):
        digits = "".join(rng.choice("0123456789") for _ in range(rng.randint(1, 25))).lstrip("0") or "0"
        text = rng.choice(["", "-"]) + digits
        if rng.random() < 0.6:
            text += "." + "".join(rng.choice("0123456789") for _ in range(rng.randint(1, 25)))
        if rng.random() < 0.6:
            text += rng.choice("eE") + rng.choice(["", "+", "-"]) + str(rng.randint(0, 330))
        texts.append(text)
    out = subprocess.run([DUMP, "numbers"], input="\n".join(texts).encode(), capture_output=True).stdout.decode().split()
    assert len(out) == len(texts)
    for text, got in zip(texts, out):
        want = float(text)
        if (got == "none") != math.isinf(want) or (got != "none" and float.fromhex(got) != want):
            wrong += 1
            print(f"{text}: Python {want.hex()}, we {got}")


rng = random.Random(20261201)
samples = []
for name in FILES:
    with open(name, "rb") as file:
        samples.append((name, file.read()))
for name, data in samples:
    compare(name, data)
small = [data for _, data in samples if len(data) < 3000] + [b'{"a": [1, 2.5e3, "x\\u00e9\\ud83d\\ude00"], "b": {"c": null}}']
for number in range(200):
    compare(f"variant {number}", damage(rng, rng.choice(small)))
check_numbers(rng)
print(f"{len(samples)} files, 200 damaged variants, 4000 numbers: {wrong} differences")
sys.exit(wrong > 0)
