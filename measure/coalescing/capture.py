"""What coalescing must compile to, and the capture that a run of it becomes."""

import captures

PROGRAM = "measure/coalescing/coalescing.cu"
KERNELS = "^strided_"
METRICS = {
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum": "sectors",
    "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum": "requests",
    "dram__bytes_read.sum": "dram_bytes",
}
PROFILER_OPTIONS = []
STRIDES = (1, 2, 4, 8, 16, 32)
SECTOR_BYTES = 32
LANES = 32


def expected():
    """Eight loads, all before the first addition."""
    return {f"strided_{s}": {"early_loads": 8, "LDG": 8, "FADD": 7, "local": 0} for s in STRIDES}


def sectors_per_load(stride):
    """Sectors of 32 bytes that the 32 floats of a warp's load lie in, the first at a boundary."""
    return len({lane * stride * 4 // SECTOR_BYTES for lane in range(LANES)})


def captures_of(raw):
    profile = captures.profile(raw)
    values = raw["settings"]["values"]
    columns = {
        "label": {},
        "stride": {"unit": "floats", "exact": True},
        "sectors_per_load": {"title": "sectors per warp load", "exact": True},
        "moved_bytes": {"title": "bytes moved", "unit": "B", "exact": True,
                        "derived": "values / lanes * sectors_per_load * sector_bytes"},
        "useful_percent": {"title": "useful part of what is moved", "unit": "%", "exact": True,
                           "derived": "useful_bytes / moved_bytes * 100"},
        "ms": {"title": "time", "unit": "ms"},
        "ms_min": {"title": "fastest time", "unit": "ms"},
        "ms_max": {"title": "slowest time", "unit": "ms"},
        "useful_gbps": {"title": "useful bandwidth", "unit": "GB/s",
                        "derived": "useful_bytes / ms / 1000000"},
        "moved_gbps": {"title": "bandwidth of what is moved", "unit": "GB/s",
                       "derived": "moved_bytes / ms / 1000000"},
    }
    if profile:
        columns["dram_mb"] = {"title": "read from memory, profiled", "unit": "MB"}
    rows = []
    for i, r in enumerate(raw["rows"]):
        sectors = sectors_per_load(r["stride"])
        moved = values // LANES * sectors * SECTOR_BYTES
        ms = r["ms_median"]
        cells = [r["label"], r["stride"], sectors, moved, captures.count(400 * values / moved),
                 captures.rounded(ms, 5), captures.rounded(r["ms_min"], 5),
                 captures.rounded(r["ms_max"], 5), captures.rounded(values * 4 / ms / 1e6, 1),
                 captures.rounded(moved / ms / 1e6, 1)]
        if profile:
            if profile[i]["sectors"] != moved / SECTOR_BYTES or \
                    profile[i]["requests"] != values / LANES:
                raise ValueError(f"{r['label']}: the profiler counted {profile[i]}, not {moved} bytes")
            cells.append(captures.rounded(profile[i]["dram_bytes"] / 1e6, 1))
        rows.append(cells)
    s = raw["settings"]
    return {"coalescing": captures.provenance(raw, PROGRAM) | {
        "constants": {"values": values, "useful_bytes": 4 * values, "lanes": LANES,
                      "sector_bytes": SECTOR_BYTES, "loads_per_thread": s["loads_per_thread"],
                      "repeats": s["repeats"]},
        "columns": columns, "rows": rows,
        "note": "Every row loads 2^26 floats once each; neighbouring lanes' floats lie as far apart as the "
                "row's stride. A thread issues 8 loads and writes their sum, so writes add an eighth of the "
                "useful bytes; they are not counted. Bytes moved are the 32-byte sectors that the loads "
                f"touch. Times are medians of {s['repeats']} launches in {s['rounds']} rounds. Every "
                "sum equals the host's, bit for bit.",
    }}
