#!/usr/bin/env python3
"""Measures how long a preview takes from a save to the new page, as a browser sees it.

    cargo build --release
    python3 benches/preview.py [SITE ENTRY]...

Each site is copied, its preview started, and one of its entries saved again and again, with a new
word each time: written aside and renamed, as editors do. The clock runs from before the save until
the page with the new word has come over loopback, after the preview said that there is one; a
browser then has only to paint it. Without sites, the course of this repository and a made-up site
of 10,000 entries are measured. `--help` names the options.
"""

import argparse
import http.client
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
SITE_PARTS = ["site.toml", "content", "templates", "static"]


class Preview:
    """A preview that runs, and what it says."""

    def __init__(self, binary, site, entry, today):
        self.process = subprocess.Popen(
            [str(binary), "-C", str(site), "preview", entry, "--port=0", "--today", today],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        address = self.process.stdout.readline().strip().removeprefix("http://")
        if not address:
            sys.exit(f"the preview of {site} did not start")
        self.host, path = address.split("/", 1)
        self.path = f"/{path}"
        self.base = self.path.removesuffix(f"terms/{entry}/").removesuffix(f"lessons/{entry}/")
        self.pages = http.client.HTTPConnection(self.host)
        self.events = http.client.HTTPConnection(self.host)
        self.events.request("GET", "/.countersign/events")
        self.updates = self.events.getresponse()
        self.next_update()

    def next_update(self):
        """Waits until the preview tells of a change."""
        while True:
            line = self.updates.readline()
            if not line:
                sys.exit("the preview ended")
            if line.startswith(b"data:"):
                return

    def get(self, path):
        self.pages.request("GET", path)
        return self.pages.getresponse().read().decode()

    def stop(self):
        self.process.terminate()
        self.process.wait()


def save(path, text):
    aside = path.with_name(f".{path.name}.tmp")
    aside.write_text(text)
    os.replace(aside, path)


def measure(options, site, entry):
    work = pathlib.Path(options.work) / f"preview-{site.name}"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    for part in SITE_PARTS:
        if (site / part).is_dir():
            shutil.copytree(site / part, work / part)
        elif (site / part).exists():
            shutil.copy(site / part, work / part)
    folders = [work / "content/terms", work / "content/lessons"]
    files = [folder / f"{entry}.md" for folder in folders]
    path = next(file for file in files if file.exists())
    text = path.read_text()
    preview = Preview(options.binary, work, entry, options.today)
    took = []
    try:
        for number in range(options.runs):
            word = f"saved-{number}-times"
            new = text.replace("\nshort: ", f"\nshort: {word} ", 1) + f"\nThis was {word}.\n"
            began = time.monotonic()
            save(path, new)
            while True:
                preview.next_update()
                if f"This was {word}" in preview.get(preview.path):
                    break
            took.append((time.monotonic() - began) * 1000)
            index = preview.get(preview.base + path.parent.name + "/")
            if word not in index:
                sys.exit(f"the list of {path.parent.name} does not show the new short answer")
            time.sleep(0.1)
    finally:
        preview.stop()
    entries = sum(1 for folder in folders if folder.exists() for _ in folder.iterdir())
    print(
        f"{site.name}: {entries} entries, median {statistics.median(took):.0f} ms, "
        f"best {min(took):.0f} ms, worst {max(took):.0f} ms of {len(took)} saves",
        flush=True,
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("sites", nargs="*", help="folder of a site, and the id of one of its entries")
    parser.add_argument("--binary", default=ROOT / "target/release/countersign")
    parser.add_argument("--runs", type=int, default=15, help="saves of each site (15)")
    parser.add_argument("--today", default="2026-09-15")
    parser.add_argument("--work", default=ROOT / "target/bench", help="folder for the copies")
    options = parser.parse_args()
    sites = list(zip(options.sites[::2], options.sites[1::2]))
    if not sites:
        large = pathlib.Path(options.work) / "countersign-10000"
        command = ["cargo", "run", "--quiet", "--package", "xtask", "--", "corpus", "10000", large]
        subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        sites = [(ROOT, "latency-hiding"), (large, "coalesced-load-order")]
    for site, entry in sites:
        measure(options, pathlib.Path(site).resolve(), entry)


if __name__ == "__main__":
    main()
