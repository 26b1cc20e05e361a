#!/usr/bin/env python3
"""Writes Sources/Core/Text/CollationTable.swift from the Default Unicode Collation Element Table (UTS #10).

    python3 Scripts/collation.py            # the table; Debian's perl brings the data
    python3 -m venv /tmp/uca && /tmp/uca/bin/pip install pyuca==1.2
    /tmp/uca/bin/python Scripts/collation.py samples    # what the test compares it with

Another version of the data changes the order of lists (ADR 0045). The form of the table is described in
CollationDecoder.swift.
"""

import pathlib
import random
import re
import sys
import unicodedata

ROOT = pathlib.Path(__file__).resolve().parent.parent
DATA = pathlib.Path("/usr/share/perl/5.36/Unicode/Collate/allkeys.txt")
VERSION = "13.0.0"
TABLE = ROOT / "Sources/Core/Text/CollationTable.swift"
SAMPLES = ROOT / "Tests/EventTests/Fixtures/collation.txt"
#: As in Scripts/timezones.py: five bits a digit and whether more follow, from "0" on.
FIRST_DIGIT = 48
#: So long are the table's lines.
WIDTH = 240


def elements():
    """The collation elements of each text of the data: (primary, secondary, tertiary)."""
    found = {}
    for line in DATA.read_text(encoding="utf-8").split("\n"):
        if line.startswith("@version"):
            assert line.split()[1] == VERSION, line
        line = line.split("#")[0].strip()
        if not line or line.startswith("@"):
            continue
        text, weights = line.split(";")
        key = tuple(int(point, 16) for point in text.split())
        found[key] = [tuple(int(weight, 16) for weight in element.split(".")) for element in re.findall(r"\[[.*]([0-9A-F.]+)\]", weights)]
    return found


def decompositions():
    """Canonical ones of two code points or one, as the Unicode data has them: not yet in full."""
    found = {}
    for point in range(0x110000):
        text = unicodedata.decomposition(chr(point))
        if text and not text.startswith("<"):
            found[point] = [int(part, 16) for part in text.split()]
    return found


class Digits:
    def __init__(self):
        self.text = []

    def number(self, number):
        assert number >= 0
        while True:
            number, digit = number >> 5, number & 31
            self.text.append(chr(FIRST_DIGIT + digit + (32 if number else 0)))
            if not number:
                return

    def signed(self, number):
        self.number(number * 2 if number >= 0 else -number * 2 - 1)


def table(keys):
    digits = Digits()
    canonical = decompositions()
    # What is decomposed first is never looked up.
    keys = {key: value for key, value in keys.items() if not (len(key) == 1 and key[0] in canonical)}
    counts = {}
    for value in keys.values():
        for primary, secondary, tertiary in value:
            kind = (secondary, tertiary, primary > 0)
            counts[kind] = counts.get(kind, 0) + 1
    kinds = sorted(counts, key=lambda kind: (-counts[kind], kind))
    digits.number(len(kinds))
    for secondary, tertiary, has_primary in kinds:
        digits.number(secondary)
        digits.number(tertiary)
        digits.number(has_primary)
    last = 0

    def write(value):
        nonlocal last
        digits.number(len(value))
        for primary, secondary, tertiary in value:
            digits.number(kinds.index((secondary, tertiary, primary > 0)))
            if primary:
                digits.signed(primary - last)
                last = primary

    singles = sorted(key[0] for key in keys if len(key) == 1)
    runs = []
    for point in singles:
        value = keys[point,]
        former = runs[-1] if runs else None
        if former and point == former[0] + len(former[1]) and len(value) == len(former[1][-1]) == 1:
            (before,), (now,) = former[1][-1], value
            if now[1:] == before[1:] and now[0] == before[0] + 1:
                former[1].append(value)
                continue
        runs.append((point, [value]))
    digits.number(len(runs))
    end = 0
    for point, values in runs:
        digits.number(point - end)
        digits.number(len(values))
        write(values[0])
        last = values[-1][-1][0] or last
        end = point + len(values)
    longer = sorted(key for key in keys if len(key) > 1)
    digits.number(len(longer))
    for key in longer:
        digits.number(len(key))
        for point in key:
            digits.number(point)
        write(keys[key])
    digits.number(len(canonical))
    end = 0
    for point in sorted(canonical):
        digits.number(point - end)
        end = point
        digits.number(len(canonical[point]))
        for part in canonical[point]:
            digits.number(part)
    marks = [(point, unicodedata.combining(chr(point))) for point in range(0x110000) if unicodedata.combining(chr(point))]
    spans = []
    for point, order in marks:
        if spans and spans[-1][0] + spans[-1][1] == point and spans[-1][2] == order:
            spans[-1][1] += 1
        else:
            spans.append([point, 1, order])
    digits.number(len(spans))
    end = 0
    for point, count, order in spans:
        digits.number(point - end)
        digits.number(count)
        digits.number(order)
        end = point + count
    text = "".join(digits.text)
    lines = [text[at : at + WIDTH] for at in range(0, len(text), WIDTH)]
    return "\n".join([
        "// Written by Scripts/collation.py; do not edit. Its form: CollationDecoder.swift.",
        "// swift-format-ignore-file",
        "",
        "/// The order of texts: the Default Unicode Collation Element Table (UTS #10).",
        "enum CollationTable {",
        "    /// The version of the data.",
        f'    static let version = "{VERSION}"',
        "",
        f"    /// {len(keys)} texts and their collation elements, {len(canonical)} decompositions.",
        '    static let text = #"""',
        *("        " + line for line in lines),
        '        """#',
        "}",
        "",
    ])


def samples():
    """Texts in their order, as another program has it, one a line; the second of two that are the same is left out."""
    from pyuca.collator import Collator_10_0_0

    collator = Collator_10_0_0(str(DATA))
    dice = random.Random(45)
    alphabets = [
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
        "àáâãäåāăąçćčďđèéêëēęğìíîïīıłñńňòóôõöøőœřśşšțùúûüűžßæþðÀÉÎÕÜÇŞĞİŁØÆ",
        "0123456789 -_.,;:!?'\"()/&+*%$€#@",
        "αβγδεζηθικλμνξοπρστυφχψωάέήίόύώΑΒΓΔΩ",
        "абвгдеёжзийклмнопрстуфхцчшщъыьэюяАБВГДЕЁЖЇЙ",
        "ابتثجحخدذرزسشصضطظعغفقكلمنهويءآأؤإئىة" + "ًٌٍَُِّْ",
        "אבגדהוזחטיכלמנסעפצקרשת",
        "कखगघचछजझटठडढतथदधनपफबभमयरलवशषसहािीुूेैोौं्",
        "กขคงจฉชซฎฏฐณดตถทธนบปผฝพฟมยรลวศษสหอฮะาิีึืุูเแโใไ่้",
        "ກຂຄງຈສຊຍດຕຖທນບປຜພມຢລວຫອເແໂໃໄ",
        "가각간갈감갑값강개객거건나다라마바사아자차카타파하한글",
        "一丁七万丈三上下不世中丸主久之乍乎乏乗乙九也亀㐀㐁豈更車",
        "あいうえおかがきぎくぐアイウエオカガキギばぱバパー",
        "\u0300\u0301\u0302\u0303\u0308\u030a\u0323\u0327\u0328\u0331\u0345",
    ]
    texts = set("resume résumé Resume Résumé Zebra Éclair zebra eclair ECLAIR cote coté côte côté Ångström Angstrom".split())
    while len(texts) < 900:
        parts = dice.choices(alphabets, k=dice.choice([1, 1, 2, 3]))
        text = "".join(dice.choice(part) for _ in range(dice.randint(1, 6)) for part in parts)
        if dice.random() < 0.3:
            text = unicodedata.normalize(dice.choice(["NFD", "NFC"]), text)
        if text.strip() == text:
            texts.add(text)
    ordered = sorted(texts, key=lambda text: (collator.sort_key(text), text))
    kept = [text for text, former in zip(ordered, [None] + ordered) if former is None or collator.sort_key(text) != collator.sort_key(former)]
    return "".join("".join(f"{ord(point):04X} " for point in text).strip() + "\n" for text in kept)


def main():
    if sys.argv[1:] == ["samples"]:
        SAMPLES.write_text(samples())
    else:
        TABLE.write_text(table(elements()))


if __name__ == "__main__":
    main()
