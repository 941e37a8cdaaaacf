#!/usr/bin/env python3
"""Builds the measuring programs, checks what was built, runs them, and writes their captures.

usage: run.py [--out DIR] [--captures DIR] [--keep-going] [--rewrite] [NAME...]

NAME is a folder beside this file with NAME.cu and capture.py; all of them by default. DIR
is where the raw run, the machine code and the profiler's table are left (./out), and where
the captures go (../content/captures). Needs nvcc, cuobjdump, nvidia-smi and a GPU, for which
the programs are built; counters are read where ncu may read them and left out where not. No
setting of the card is changed.

With --rewrite nothing is run: the captures are written again from the raw runs in --out.

A program's captures are written only if its machine code is as its capture.py expects, every
result it computed was right, and every capture passes the check in captures.py.
"""

import argparse
import csv
import importlib.util
import json
import shutil
import subprocess
import sys
import time
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import captures
import sass

BUILD = "nvcc -std=c++17 -O3 -arch={arch} -o {name} {name}.cu"
CLOCKS = "clocks.sm,clocks.mem,temperature.gpu,power.draw,clocks_throttle_reasons.active"


def module(name):
    """NAME/capture.py, which says what to expect, what to profile and what to write."""
    spec = importlib.util.spec_from_file_location(f"capture_{name}", HERE / name / "capture.py")
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded


def card(what):
    """What the driver's own tool says of the first card: `driver_version`, `compute_cap`."""
    query = ["nvidia-smi", "-i", "0", f"--query-gpu={what}", "--format=csv,noheader"]
    return subprocess.run(query, check=True, text=True, stdout=subprocess.PIPE).stdout.strip()


def measure(name, command, out):
    """Runs the program while the card's clocks are logged beside it."""
    with open(out / f"{name}.clocks.csv", "w") as log:
        watch = subprocess.Popen(["nvidia-smi", "-i", "0", f"--query-gpu={CLOCKS}",
                                  "--format=csv,noheader,nounits", "-lms", "200"], stdout=log)
        try:
            subprocess.run(command, check=True, timeout=240)
        finally:
            watch.terminate()
            watch.wait()


def clocks(path):
    """Range of the SM clock and the reasons for lowering it, over the samples of a busy card."""
    busy = []
    for row in csv.reader(path.read_text().splitlines(), skipinitialspace=True):
        try:
            if float(row[3]) > 100:
                busy.append((float(row[0]), row[4]))
        except (ValueError, IndexError):
            continue
    mhz = [sample[0] for sample in busy]
    return {"samples": len(busy), "sm_mhz": [min(mhz), max(mhz)] if mhz else [],
            "reasons": sorted({sample[1] for sample in busy})}


def profile(name, binary, loaded, out):
    """One row of counters a launch, in row order, or None where counters cannot be read."""
    if not shutil.which("ncu"):
        return None
    log = out / f"{name}.ncu.csv"
    command = ["ncu", "--clock-control", "none", "--csv", "--page", "raw", "--print-units", "base",
               "--log-file", str(log), "--kernel-name", f"regex:{loaded.KERNELS}",
               "--metrics", ",".join(loaded.METRICS), *loaded.PROFILER_OPTIONS,
               binary, "--once", "--seed", "45"]
    try:
        subprocess.run(command, check=True, timeout=400, stdout=subprocess.DEVNULL)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
        print(f"{name}: no counters: {error}")
        return None
    lines = [line for line in log.read_text().splitlines() if line.startswith('"')]
    table = [row for row in csv.DictReader(lines) if row["ID"].strip().isdigit()]
    return [{"kernel": row["Kernel Name"].split("(")[0]} |
            {key: float(row[metric].replace(",", "")) for metric, key in loaded.METRICS.items()}
            for row in table]


def run(name, out, target):
    started = time.monotonic()
    loaded = module(name)
    folder = HERE / name
    build = BUILD.format(name=name, arch="sm_" + card("compute_cap").replace(".", ""))
    binary = str(out / name)
    print(f"== {name}: {build}", flush=True)
    subprocess.run(build.split()[:-3] + ["-o", binary, f"{name}.cu"], check=True, cwd=folder)
    code = sass.dump(binary)
    faults = sass.faults(sass.kernels(code), loaded.expected())
    if faults:
        raise SystemExit("\n".join([f"{name}: the compiler made something else"] + faults))
    raw_path = out / f"{name}.json"
    measure(name, [binary, "--json", str(raw_path), "--build", build, "--driver", card("driver_version"),
                   "--sha256", captures.sha256(folder / f"{name}.cu")], out)
    raw = json.loads(raw_path.read_text())
    print(f"{name}: measured after {time.monotonic() - started:.0f} s", flush=True)
    raw["clocks"] = clocks(out / f"{name}.clocks.csv")
    print(f"{name}: clocks while busy: {raw['clocks']}")
    raw["profile"] = profile(name, binary, loaded, out)
    raw_path.write_text(json.dumps(raw, indent=1) + "\n")
    write(loaded, raw, target)
    print(f"{name}: done after {time.monotonic() - started:.0f} s", flush=True)


def write(loaded, raw, target):
    """The captures of a run whose results were all right."""
    if raw["wrong"] != 0 or any(row["wrong"] != 0 for row in raw["rows"]):
        raise SystemExit("wrong results, so no capture")
    device = raw["provenance"]["device"].split()[-1].lower()
    for name, capture in loaded.captures_of(raw).items():
        captures.write(target / f"{device}-{name}.json", capture)


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--out", type=Path, default=HERE / "out")
    parser.add_argument("--captures", type=Path, default=HERE.parent / "content" / "captures")
    parser.add_argument("--keep-going", action="store_true")
    parser.add_argument("--rewrite", action="store_true")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    given.captures.mkdir(parents=True, exist_ok=True)
    names = given.names or sorted(p.parent.name for p in HERE.glob("*/capture.py"))
    status = 0
    for name in names:
        try:
            if given.rewrite:
                write(module(name), json.loads((given.out / f"{name}.json").read_text()), given.captures)
            else:
                run(name, given.out, given.captures)
        except (SystemExit, subprocess.SubprocessError, OSError, KeyError, ValueError) as error:
            print(f"{name}: {error!r}" if not isinstance(error, SystemExit) else error, flush=True)
            status = 1
            if not given.keep_going:
                break
    return status


if __name__ == "__main__":
    sys.exit(main())
