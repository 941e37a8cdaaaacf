#!/usr/bin/env python3
"""Writes measured tables as capture files, and checks the ones that are there.

A capture is one JSON object: where and how it was measured, its columns with their
units, and its rows. Every number is written as text with the digits that it was
measured to, so `0.70` stays `0.70`; the writer therefore never passes one through a
float.

usage: captures.py check FILE...

The check is arithmetic only: every row has every cell, labels are unique and fit for
formulas, and every derived column agrees with its cells. A cell that was rounded
stands for the interval that rounds to it; where all operands are exact, the result
must be equal to the cell.
"""

import ast
import hashlib
import json
import re
import sys
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
KEYS = ("device", "compute_capability", "driver", "toolkit", "build", "captured", "constants",
        "columns", "rows", "note", "program", "program_sha256")
REQUIRED = KEYS[:9]
COLUMN_KEYS = {"title", "unit", "exact", "derived"}


def rounded(value, places):
    """The value with so many decimals, as text, rounded half away from zero."""
    unit = Decimal(1).scaleb(-places)
    return str(Decimal(repr(value)).quantize(unit, rounding=ROUND_HALF_UP))


def toolkit(nvcc_version):
    """`V13.0.88` as it is named on a page: `CUDA 13.0 (V13.0.88)`."""
    major, minor = nvcc_version.lstrip("V").split(".")[:2]
    return f"CUDA {major}.{minor} ({nvcc_version})"


def count(value):
    """A count or a setting as text: 12.5 and 100, never 100.0."""
    return str(int(value)) if value == int(value) else str(value)


def provenance(raw, program):
    """The head of a capture, from what the run wrote about itself."""
    p = raw["provenance"]
    return {
        "device": p["device"],
        "compute_capability": p["compute_capability"],
        "driver": p["driver"],
        "toolkit": toolkit(p["nvcc"]),
        "build": p["build"],
        "captured": p["captured"],
        "program": program,
        "program_sha256": p["program_sha256"],
    }


def profile(raw):
    """Counters by row, or None where they could not be read or are not those of the rows."""
    counters = raw.get("profile")
    rows = raw["rows"]
    if counters and [c["kernel"] for c in counters] == [r["kernel"] for r in rows]:
        return counters
    return None


def sha256(path):
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def numeral(text):
    """A JSON number exactly as given."""
    text = str(text)
    if not re.fullmatch(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?", text):
        raise ValueError(f"not a plain decimal: {text!r}")
    return text


def render(capture):
    """The capture as JSON text, one column and one row a line."""
    out = ["{"]
    for key in KEYS:
        if key not in capture:
            continue
        value = capture[key]
        if key == "constants":
            body = ", ".join(f"{json.dumps(k)}: {numeral(v)}" for k, v in value.items())
            out.append(f'  "constants": {{{body}}},')
        elif key == "columns":
            body = ",\n".join(f"    {json.dumps(k)}: {json.dumps(v, ensure_ascii=False)}"
                              for k, v in value.items())
            out.append(f'  "columns": {{\n{body}\n  }},')
        elif key == "rows":
            body = ",\n".join("    [" + ", ".join([json.dumps(r[0])] + [numeral(c) for c in r[1:]]) + "]"
                              for r in value)
            out.append(f'  "rows": [\n{body}\n  ],')
        else:
            out.append(f'  "{key}": {json.dumps(value, ensure_ascii=False)},')
    return "\n".join(out).rstrip(",") + "\n}\n"


def write(path, capture):
    """Writes the capture, unless a check finds fault with what would be written."""
    text = render(capture)
    faults = faults_of(text)
    if faults:
        raise SystemExit("\n".join([f"{path}: not written"] + faults))
    Path(path).write_text(text, encoding="utf-8")
    print(f"{path}: {len(capture['rows'])} rows, {len(text)} bytes")


# ---- the check


def interval(text, exact):
    """Lowest and highest value that the printed number stands for."""
    value = Fraction(text)
    if exact:
        return value, value
    places = len(text.split(".")[1]) if "." in text else 0
    half = Fraction(1, 2 * 10**places)
    return value - half, value + half


def evaluate(formula, names):
    """Interval of a formula of names, numbers, + - * / and parentheses."""
    def value(node):
        if isinstance(node, ast.Constant):
            number = Fraction(str(node.value))
            return number, number
        if isinstance(node, ast.Name):
            return names[node.id]
        if isinstance(node, ast.BinOp):
            a, b = value(node.left), value(node.right)
            if isinstance(node.op, ast.Add):
                return a[0] + b[0], a[1] + b[1]
            if isinstance(node.op, ast.Sub):
                return a[0] - b[1], a[1] - b[0]
            if isinstance(node.op, ast.Div):
                if b[0] <= 0 <= b[1]:
                    raise ValueError("division by an interval that holds zero")
                b = (1 / b[1], 1 / b[0])
            elif not isinstance(node.op, ast.Mult):
                raise ValueError("an operator that formulas do not have")
            ends = [x * y for x in a for y in b]
            return min(ends), max(ends)
        raise ValueError(f"not understood in a formula: {ast.dump(node)}")

    return value(ast.parse(formula, mode="eval").body)


def faults_of(text):
    """What is wrong with a capture's text, a line each."""
    capture = json.loads(text, parse_float=str, parse_int=str)
    faults = [f"unknown key {k}" for k in capture if k not in KEYS]
    faults += [f"missing key {k}" for k in REQUIRED if k not in capture]
    if faults:
        return faults
    columns = capture["columns"]
    names = list(columns)
    for name, column in columns.items():
        faults += [f"column {name}: unknown key {k}" for k in column if k not in COLUMN_KEYS]
    faults += [f"not fit for a formula: {n}" for n in names + list(capture["constants"])
               if not re.fullmatch(r"[a-z][a-z0-9]*([-_][a-z0-9]+)*", n)]
    constants = {k: interval(v, True) for k, v in capture["constants"].items()}
    seen = set()
    for row in capture["rows"]:
        label = row[0]
        if label in seen:
            faults.append(f"two rows are called {label}")
        seen.add(label)
        if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", label):
            faults.append(f"not fit for a formula: row {label}")
        if len(row) != len(names):
            faults.append(f"{label}: {len(row)} cells for {len(names)} columns")
            continue
        cells = dict(zip(names, row))
        values = dict(constants)
        values.update({n: interval(cells[n], columns[n].get("exact", False)) for n in names[1:]})
        for name in names[1:]:
            if "derived" in columns[name]:
                low, high = evaluate(columns[name]["derived"], values)
                if low > values[name][1] or high < values[name][0]:
                    faults.append(f"{label}: {name} is {cells[name]}, its formula gives "
                                  f"{float(low):.9g} to {float(high):.9g}")
    if "program" in capture:
        program = REPOSITORY / capture["program"]
        if not program.is_file():
            faults.append(f"no such program: {capture['program']}")
        elif sha256(program) != capture.get("program_sha256"):
            faults.append(f"{capture['program']} is not the version that wrote this capture")
    return faults


def main(arguments):
    if len(arguments) < 2 or arguments[0] != "check":
        print(__doc__, file=sys.stderr)
        return 2
    status = 0
    for path in arguments[1:]:
        faults = faults_of(Path(path).read_text(encoding="utf-8"))
        for fault in faults:
            print(f"{path}: {fault}")
        status |= bool(faults)
        if not faults:
            print(f"{path}: holds")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
