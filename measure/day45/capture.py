"""What day45 must compile to, and the three captures that a run of it becomes.

`day45` holds every one-shot variant under the driver's own choice of L1 size, one a row.
`day45-curve` holds the same runs by the loads they keep in flight per SM: for each number
the fastest and the slowest way of reaching it, among blocks of 256 threads that load four
bytes at a time. `day45-stalls` says of the same variants what the profiler saw each scheduler
do; without counters it is not written.
"""

import captures

PROGRAM = "measure/day45/day45.cu"
KERNELS = "^mul_oneshot_"
METRICS = {
    "sm__warps_active.avg.per_cycle_active": "active_warps",
    "smsp__warps_active.avg.per_cycle_active": "scheduler_active",
    "smsp__warps_eligible.avg.per_cycle_active": "scheduler_eligible",
    "smsp__issue_active.avg.pct_of_peak_sustained_active": "issued_percent",
    "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio": "long_scoreboard",
    "smsp__average_warps_issue_stalled_lg_throttle_per_issue_active.ratio": "lg_throttle",
}
PROFILER_OPTIONS = []

SHAPES = [("f1", 256, n) for n in (1, 2, 4, 8, 16)] + [("f4", 256, n) for n in (1, 2, 4)] \
    + [("f1", 512, n) for n in (1, 4, 8)]


def expected():
    """Two loads an item, all before the first multiply, and nothing in local memory."""
    return {
        f"mul_{schedule}_{width}_items{items}_t{block}":
            {"early_loads": 2 * items, "LDG": 2 * items, "FMUL": items * int(width[1]), "local": 0}
        for schedule in ("oneshot", "loop") for width, block, items in SHAPES
    }


def constants(raw):
    p = raw["provenance"]
    return {
        "max_warps": p["max_warps"],
        "sms": p["sms"],
        "bytes": raw["settings"]["floats"] * 12,
        "l2_bytes": p["l2_bytes"],
        "memory_clock_khz": p["memory_clock_khz"],
        "memory_bus_bits": p["memory_bus_bits"],
        "repeats": raw["settings"]["repeats"],
    }


def occupancy(raw, row):
    return captures.count(100 * row["resident_warps"] / raw["provenance"]["max_warps"])


def kib(row):
    return captures.count(row["loads_in_flight"] * 32 * row["load_bytes"] / 1024)


def gbps(row):
    return captures.rounded(row["bytes"] / row["ms_median"] / 1e6, 1)


GBPS = "bytes / ms / 1000000"


def table(raw, rows, profile):
    columns = {
        "label": {},
        "occupancy": {"unit": "%", "exact": True, "derived": "resident_warps / max_warps * 100"},
        "resident_warps": {"title": "resident warps per SM", "exact": True},
        "loads_per_thread": {"title": "loads per thread", "exact": True},
        "loads_in_flight": {"title": "loads in flight per SM", "exact": True,
                            "derived": "occupancy / 100 * max_warps * loads_per_thread"},
        "load_bytes": {"title": "bytes per load", "unit": "B", "exact": True},
        "kib_in_flight": {"title": "KiB in flight per SM", "unit": "KiB", "exact": True,
                          "derived": "loads_in_flight * 32 * load_bytes / 1024"},
        "registers": {"title": "registers per thread", "exact": True},
        "ms": {"title": "time", "unit": "ms"},
        "ms_min": {"title": "fastest time", "unit": "ms"},
        "ms_max": {"title": "slowest time", "unit": "ms"},
        "gbps": {"title": "bandwidth", "unit": "GB/s", "derived": GBPS},
    }
    if profile:
        columns["active_warps"] = {"title": "mean active warps per SM, profiled"}
    out = []
    for i, r in enumerate(rows):
        cells = [r["label"], occupancy(raw, r), r["resident_warps"], r["loads_per_thread"],
                 r["loads_in_flight"], r["load_bytes"], kib(r), r["registers"],
                 captures.rounded(r["ms_median"], 5), captures.rounded(r["ms_min"], 5),
                 captures.rounded(r["ms_max"], 5), gbps(r)]
        if profile:
            cells.append(captures.rounded(profile[i]["active_warps"], 1))
        out.append(cells)
    s = raw["settings"]
    return captures.provenance(raw, PROGRAM) | {
        "constants": constants(raw), "columns": columns, "rows": out,
        "note": "c[i] = a[i] * b[i] over arrays of 2^28 floats, a block a tile. Times are medians of "
                f"{s['repeats']} launches in {s['rounds']} rounds of different order, after warm-ups. "
                "Loads in flight are resident warps times the loads that a thread issues before its "
                "first multiply: a ceiling, not an average. Every element of every variant equals the "
                "host's product, bit for bit.",
    }


def curve(raw, rows):
    columns = {
        "label": {},
        "loads_in_flight": {"title": "loads in flight per SM", "exact": True},
        "kib_in_flight": {"title": "KiB in flight per SM", "unit": "KiB", "exact": True,
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
    for r in rows:
        if r["block"] == 256 and r["load_bytes"] == 4:
            ways.setdefault(r["loads_in_flight"], []).append(r)
    out = []
    for loads in sorted(ways):
        fast = min(ways[loads], key=lambda r: r["ms_median"])
        slow = max(ways[loads], key=lambda r: r["ms_median"])
        out.append([f"in-flight-{loads}", loads, kib(fast), len(ways[loads]), occupancy(raw, fast),
                    fast["loads_per_thread"], captures.rounded(fast["ms_median"], 5), gbps(fast),
                    occupancy(raw, slow), captures.rounded(slow["ms_median"], 5), gbps(slow)])
    return captures.provenance(raw, PROGRAM) | {
        "constants": constants(raw), "columns": columns, "rows": out,
        "note": "The runs of the day 45 table that load four bytes at a time from blocks of 256 "
                "threads, by the loads they keep in flight: the fastest and the slowest way of "
                "reaching each number.",
    }


def stalls(raw, rows, profile):
    """Averages of a scheduler, and for two stall reasons the cycles that a warp spends in them
    between two of its instructions, as the profiler's section on warp states counts them."""
    columns = {
        "label": {},
        "occupancy": {"unit": "%", "exact": True},
        "loads_in_flight": {"title": "loads in flight per SM", "exact": True},
        "ms": {"title": "time", "unit": "ms"},
        "active": {"title": "active warps per scheduler"},
        "eligible": {"title": "eligible warps per scheduler"},
        "issued_percent": {"title": "slots used", "unit": "%"},
        "long_scoreboard": {"title": "long scoreboard", "unit": "cycles"},
        "lg_throttle": {"title": "LG throttle", "unit": "cycles"},
    }
    out = [[r["label"], occupancy(raw, r), r["loads_in_flight"], captures.rounded(r["ms_median"], 5),
            captures.rounded(p["scheduler_active"], 1), captures.rounded(p["scheduler_eligible"], 2),
            captures.rounded(p["issued_percent"], 1), captures.rounded(p["long_scoreboard"], 1),
            captures.rounded(p["lg_throttle"], 1)] for r, p in zip(rows, profile)]
    s = raw["settings"]
    return captures.provenance(raw, PROGRAM) | {
        "constants": constants(raw), "columns": columns, "rows": out,
        "note": "The kernels of the day 45 table under the profiler, a launch each, with the clocks "
                "left alone. Long scoreboard and LG throttle are cycles that a warp waits between two "
                f"of its instructions. Times were taken without the profiler: medians of {s['repeats']} "
                "launches.",
    }


def captures_of(raw):
    rows = [r for r in raw["rows"] if r["family"] == "oneshot" and r["l1"] == "driver"]
    profile = captures.profile(raw | {"rows": rows})
    written = {"day45": table(raw, rows, profile), "day45-curve": curve(raw, rows)}
    if profile:
        written["day45-stalls"] = stalls(raw, rows, profile)
    return written
