"""What load-latency must compile to, and the capture that a run of it becomes."""

import captures

PROGRAM = "measure/load-latency/load-latency.cu"
KERNELS = "^chase_"
METRICS = {
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum": "l1_sectors",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum": "l1_hits",
    "dram__bytes_read.sum": "dram_bytes",
}
# A launch of the profiled run comes after others as in a timed one: nothing is flushed.
PROFILER_OPTIONS = ["--cache-control", "none"]


def expected():
    """One load in the lap that warms and one in the lap that is timed, of the right kind."""
    return {
        "chase_any": {"LDG": 2, "LDG.E.64": 2, "local": 0},
        "chase_shared": {"LDS": 2, "local": 0},
        "chase_past_l1": {"LDG": 2, "LDG.E.64.STRONG.GPU": 2, "local": 0},
    }


SECTOR_BYTES = 32


def answered(row, counters):
    """Percent of all loads, the warming ones included, that L1 answered, and bytes of memory
    read for each load."""
    loads = row["warm"] + row["hops"]
    return 100 * counters["l1_hits"] / loads, counters["dram_bytes"] / loads


def confirm(row, l1_percent, dram_bytes):
    """The level in the row's name must have answered nearly all timed loads.

    A warming lap may miss everywhere, so it is granted to every level. A load that memory
    answers reads a sector of 32 bytes or more.
    """
    timed = row["hops"] / (row["warm"] + row["hops"])
    level = row["label"].split("-")[0]
    holds = {
        "l1": l1_percent >= 95 * timed,
        "l2": l1_percent <= 1 and dram_bytes <= 0.05 * SECTOR_BYTES + 64 * (1 - timed),
        "memory": l1_percent <= 1 and dram_bytes >= 0.95 * SECTOR_BYTES,
    }.get(level, True)
    if not holds:
        raise ValueError(f"{row['label']}: L1 answered {l1_percent:.1f}% of the loads, and "
                         f"{dram_bytes:.1f} bytes were read from memory for each")


def captures_of(raw):
    profile = captures.profile(raw)
    columns = {
        "label": {},
        "footprint_kib": {"title": "footprint", "unit": "KiB", "exact": True},
        "cycles": {"title": "latency", "unit": "cycles"},
        "cycles_min": {"title": "fastest run", "unit": "cycles"},
        "cycles_max": {"title": "slowest run", "unit": "cycles"},
        "ns": {"title": "latency", "unit": "ns"},
    }
    if profile:
        columns["l1_percent"] = {"title": "answered by L1, profiled", "unit": "%"}
        columns["dram_bytes"] = {"title": "read from memory per load, profiled", "unit": "B"}
    rows = []
    for i, r in enumerate(raw["rows"]):
        cells = [r["label"], r["footprint_kib"]] + [captures.rounded(r[k], 1) for k in
                                                    ("cycles", "cycles_min", "cycles_max", "ns")]
        if profile:
            l1_percent, dram_bytes = answered(r, profile[i])
            confirm(r, l1_percent, dram_bytes)
            cells += [captures.rounded(l1_percent, 1), captures.rounded(dram_bytes, 1)]
        rows.append(cells)
    p, s = raw["provenance"], raw["settings"]
    return {"load-latency": captures.provenance(raw, PROGRAM) | {
        "constants": {"line_bytes": s["line_bytes"], "l2_bytes": p["l2_bytes"],
                      "sm_clock_khz": p["sm_clock_khz"], "repeats": s["repeats"]},
        "columns": columns, "rows": rows,
        "note": "One thread follows a chain of pointers over every 128-byte line of a buffer in random "
                "order, so that one load is in flight; row shared-16k over 4-byte words of shared memory. "
                "Rows l1, between-256k and between-512k use plain loads; later ones go past L1. Medians of "
                f"{s['repeats']} launches of 2^19 hops or more after a warming lap. Where counters "
                "could be read, the level in a row's name is the one that answered; the counts include the warming lap.",
    }}
