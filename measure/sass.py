"""Counts instructions in a program's machine code, kernel by kernel.

What a kernel is said to measure is only true if the compiler left it so: loads before the
first arithmetic, one load in a loop, no spilled register. The counts come from
`cuobjdump --dump-sass`.
"""

import re
import subprocess

FUNCTION = re.compile(r"Function : (\S+)")
INSTRUCTION = re.compile(r"^\s+/\*[0-9a-f]{4,}\*/\s+(?:@!?\S+\s+)?([A-Z][A-Z0-9_.]*)")

# Arithmetic on loaded values, which a load that counts as in flight must precede.
ARITHMETIC = {"FMUL", "FADD", "FFMA"}


def kernels(text):
    """Counts by kernel: each base opcode, its modified forms, and the loads before any arithmetic."""
    found = {}
    counts = None
    for line in text.splitlines():
        if match := FUNCTION.search(line):
            counts = found[match[1]] = {"early_loads": 0, "arithmetic": 0, "local": 0}
        elif counts is not None and (match := INSTRUCTION.match(line)):
            opcode = match[1]
            base = opcode.split(".")[0]
            for name in {base, opcode}:
                counts[name] = counts.get(name, 0) + 1
            if base in ARITHMETIC:
                counts["arithmetic"] += 1
            if base == "LDG" and counts["arithmetic"] == 0:
                counts["early_loads"] += 1
            if base in ("LDL", "STL"):
                counts["local"] += 1
    return found


def dump(program):
    """The machine code of a built program, as text."""
    done = subprocess.run(["cuobjdump", "--dump-sass", program], check=True, text=True,
                          stdout=subprocess.PIPE)
    return done.stdout


def faults(found, expected):
    """Kernels whose counts are not as expected; `expected` gives counts by kernel."""
    out = []
    for kernel, counts in expected.items():
        if kernel not in found:
            out.append(f"{kernel}: not in the program")
            continue
        for name, want in counts.items():
            have = found[kernel].get(name, 0)
            if have != want:
                out.append(f"{kernel}: {have} of {name}, not {want}")
    return out
