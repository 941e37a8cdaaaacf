"""What tile-reuse must compile to, and the capture that a run of it becomes."""

import captures

PROGRAM = "measure/tile-reuse/tile-reuse.cu"
KERNELS = "^product_"
METRICS = {
    "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum": "requests",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum": "sectors",
    "dram__bytes_read.sum": "dram_bytes",
}
PROFILER_OPTIONS = []
LANES = 32


def expected():
    """Loads and multiply-adds of one pass of the outer loop, and no spilled register."""
    kernels = {}
    for side in (8, 16, 32):
        kernels[f"product_untiled_{side}"] = {"LDG": 2 * side, "FFMA": side, "LDS": 0, "local": 0}
        kernels[f"product_tile_{side}"] = {"LDG": 2, "FFMA": side, "STS": 2, "local": 0}
    for side, patch in ((64, 4), (128, 8)):
        loads = 2 * side * 16 // 256
        kernels[f"product_patch_{side}"] = {"LDG": loads, "FFMA": 16 * patch * patch, "STS": loads,
                                            "local": 0}
    return kernels


def captures_of(raw):
    profile = captures.profile(raw)
    n = raw["settings"]["n"]
    columns = {
        "label": {},
        "tile": {"title": "multiply-adds that a loaded value serves", "exact": True},
        "threads": {"title": "threads per block", "exact": True},
        "outputs_per_thread": {"title": "results per thread", "exact": True},
        "registers": {"title": "registers per thread", "exact": True},
        "shared_bytes": {"title": "shared memory per block", "unit": "B", "exact": True},
        "fetched": {"title": "values loaded", "exact": True, "derived": "2 * n * n * n / tile"},
        "ms": {"title": "time", "unit": "ms"},
        "ms_min": {"title": "fastest time", "unit": "ms"},
        "ms_max": {"title": "slowest time", "unit": "ms"},
        "gflops": {"title": "rate", "unit": "GFLOP/s", "derived": "2 * n * n * n / ms / 1000000"},
    }
    if profile:
        columns["sector_gb"] = {"title": "sectors asked of L1, profiled", "unit": "GB"}
        columns["dram_mb"] = {"title": "read from memory, profiled", "unit": "MB"}
    rows = []
    for i, r in enumerate(raw["rows"]):
        fetched = 2 * n**3 // r["tile"]
        cells = [r["label"], r["tile"], r["threads"], r["outputs_per_thread"], r["registers"],
                 r["shared_bytes"], fetched, captures.rounded(r["ms_median"], 5),
                 captures.rounded(r["ms_min"], 5), captures.rounded(r["ms_max"], 5),
                 captures.rounded(2 * n**3 / r["ms_median"] / 1e6, 1)]
        if profile:
            if profile[i]["requests"] * LANES != fetched:
                raise ValueError(f"{r['label']}: the profiler counted {profile[i]['requests']} warp "
                                 f"loads, not {fetched // LANES}")
            cells += [captures.rounded(profile[i]["sectors"] * 32 / 1e9, 2),
                      captures.rounded(profile[i]["dram_bytes"] / 1e6, 1)]
        rows.append(cells)
    s = raw["settings"]
    return {"tile-reuse": captures.provenance(raw, PROGRAM) | {
        "constants": {"n": n, "multiply_adds": n**3, "repeats": s["repeats"]},
        "columns": columns, "rows": rows,
        "note": "C = A * B, float32, 4096 by 4096. Values loaded are those that threads ask of global "
                "memory, by construction; caches answer many of them. A row tile-T has the block of "
                "untiled-T and differs in the shared tile alone. Times are medians of "
                f"{s['repeats']} launches in {s['rounds']} rounds. Inputs are small whole numbers, so "
                "every sum is exact, and every element of every row equals the host's product.",
    }}
