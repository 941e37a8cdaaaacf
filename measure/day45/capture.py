#!/usr/bin/env python3
"""Turns a run of day45 into the two captures that the course shows.

usage: capture.py RAW.json TABLE.json CURVE.json

TABLE holds every one-shot variant under the driver's own choice of L1 size, one a row.
CURVE holds the same runs by the number of loads in flight per SM: for each number, the
fastest and the slowest way of reaching it among the blocks of 256 threads that load
four bytes at a time.
"""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import captures

PROGRAM = "measure/day45/day45.cu"


def provenance(raw):
    p = raw["provenance"]
    head = {
        "device": p["device"],
        "compute_capability": p["compute_capability"],
        "driver": p["driver"],
        "toolkit": captures.toolkit(p["nvcc"]),
        "build": p["build"],
        "captured": p["captured_utc"][:10],
    }
    if "program_sha256" in p:
        head |= {"program": PROGRAM, "program_sha256": p["program_sha256"]}
    return head


def constants(raw):
    p, m = raw["provenance"], raw["method"]
    return {
        "max_warps": p["max_warps_per_sm"],
        "sms": p["sm_count"],
        "bytes": m["bytes_moved"],
        "l2_bytes": p["l2_bytes"],
        "memory_clock_khz": p["memory_clock_attribute_khz"],
        "memory_bus_bits": p["memory_bus_bits"],
        "repeats": m["repeats"],
    }


def number(value):
    """A count or a setting: 12.5 and 100, never 100.0."""
    return str(int(value)) if value == int(value) else str(value)


IN_FLIGHT = "occupancy / 100 * max_warps * loads_per_thread"
GBPS = "bytes / ms / 1000000"


def table(raw, variants):
    columns = {
        "label": {},
        "occupancy": {"unit": "%", "exact": True, "derived": "resident_warps / max_warps * 100"},
        "resident_warps": {"title": "resident warps per SM", "exact": True},
        "loads_per_thread": {"title": "loads per thread", "exact": True},
        "loads_in_flight": {"title": "loads in flight per SM", "exact": True, "derived": IN_FLIGHT},
        "load_bytes": {"title": "bytes per load", "unit": "B", "exact": True},
        "kib_in_flight": {"title": "bytes in flight per SM", "unit": "KiB", "exact": True,
                          "derived": "loads_in_flight * 32 * load_bytes / 1024"},
        "registers": {"title": "registers per thread", "exact": True},
        "ms": {"title": "time", "unit": "ms"},
        "ms_min": {"title": "fastest time", "unit": "ms"},
        "ms_max": {"title": "slowest time", "unit": "ms"},
        "gbps": {"title": "bandwidth", "unit": "GB/s", "derived": GBPS},
    }
    profiled = all("ncu" in v for v in variants)
    if profiled:
        columns["active_warps"] = {"title": "mean active warps per SM, profiled"}
    rows = []
    for v in variants:
        row = [v["label"], number(v["occupancy_pct"]), number(v["resident_warps"]),
               number(v["loads_before_first_multiply"]), number(v["loads_in_flight"]),
               number(v["load_bytes"]), number(v["load_bytes_in_flight_per_sm"] / 1024),
               number(v["registers_per_thread"]), captures.rounded(v["ms_median"], 5),
               captures.rounded(v["ms_min"], 5), captures.rounded(v["ms_max"], 5),
               captures.rounded(v["gb_s"], 1)]
        if profiled:
            row.append(captures.rounded(v["ncu"]["warps_active_per_cycle"], 1))
        rows.append(row)
    return provenance(raw) | {
        "constants": constants(raw), "columns": columns, "rows": rows,
        "note": "c[i] = a[i] * b[i] over arrays of 2^28 floats, a block a tile. Times are medians of "
                f"{raw['method']['repeats']} launches in {raw['method']['rounds']} rounds of different "
                "order, after a warm-up. Loads in flight are resident warps times the loads that a "
                "thread issues before its first multiply, which is a ceiling and not an average. "
                "Every element of every variant equals the product computed on the host, bit for bit.",
    }


def curve(raw, variants):
    columns = {
        "label": {},
        "loads_in_flight": {"title": "loads in flight per SM", "exact": True},
        "kib_in_flight": {"title": "bytes in flight per SM", "unit": "KiB", "exact": True,
                          "derived": "loads_in_flight * 128 / 1024"},
        "ways": {"title": "ways measured", "exact": True},
        "occupancy": {"title": "occupancy of the fastest", "unit": "%", "exact": True},
        "loads_per_thread": {"title": "loads per thread of the fastest", "exact": True},
        "ms": {"title": "time of the fastest", "unit": "ms"},
        "gbps": {"title": "bandwidth of the fastest", "unit": "GB/s", "derived": GBPS},
        "slowest_occupancy": {"title": "occupancy of the slowest", "unit": "%", "exact": True},
        "slowest_ms": {"title": "time of the slowest", "unit": "ms"},
        "slowest_gbps": {"title": "bandwidth of the slowest", "unit": "GB/s",
                         "derived": "bytes / slowest_ms / 1000000"},
    }
    ways = {}
    for v in variants:
        if v["threads_per_block"] == 256 and v["load_bytes"] == 4:
            ways.setdefault(v["loads_in_flight"], []).append(v)
    rows = []
    for loads in sorted(ways):
        fast = min(ways[loads], key=lambda v: v["ms_median"])
        slow = max(ways[loads], key=lambda v: v["ms_median"])
        rows.append([f"in-flight-{loads}", number(loads), number(loads * 128 / 1024),
                     number(len(ways[loads])), number(fast["occupancy_pct"]),
                     number(fast["loads_before_first_multiply"]),
                     captures.rounded(fast["ms_median"], 5), captures.rounded(fast["gb_s"], 1),
                     number(slow["occupancy_pct"]),
                     captures.rounded(slow["ms_median"], 5), captures.rounded(slow["gb_s"], 1)])
    return provenance(raw) | {
        "constants": constants(raw), "columns": columns, "rows": rows,
        "note": "The runs of the day 45 table that load four bytes at a time from blocks of 256 threads, "
                "by the loads they keep in flight: the fastest and the slowest way of reaching each number.",
    }


def main(raw_path, table_path, curve_path):
    raw = json.loads(Path(raw_path).read_text())
    variants = [v for v in raw["variants"]
                if v["family"] == "oneshot" and v["carveout"] == "driver"]
    wrong = [v["label"] for v in raw["variants"] if v["wrong_elements"] != 0]
    if wrong:
        raise SystemExit(f"wrong results, so no capture: {', '.join(wrong)}")
    captures.write(table_path, table(raw, variants))
    captures.write(curve_path, curve(raw, variants))


if __name__ == "__main__":
    if len(sys.argv) != 4:
        raise SystemExit(__doc__)
    main(*sys.argv[1:])
