"""What Nsight Compute counted for the launches of bench/gpu (measure.sh --ncu)."""

import csv
import json

# The share of its peak that a unit has to reach to be called what limits a kernel;
# below it, the kernel waits (latency).
BUSY = 60
UNITS = {
    "issue": "sm__inst_issued.avg.pct_of_peak_sustained_elapsed",
    "ALU": "sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active",
    "FMA": "sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active",
    "XU": "sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_active",
    "LSU": "sm__inst_executed_pipe_lsu.avg.pct_of_peak_sustained_active",
    "L1": "l1tex__throughput.avg.pct_of_peak_sustained_elapsed",
    "L2": "lts__throughput.avg.pct_of_peak_sustained_elapsed",
    "DRAM": "dram__throughput.avg.pct_of_peak_sustained_elapsed",
}
# In assumptions of access-report.
ABOUT_LANES = ("the same in all lanes", "between the lanes", "apart share no sector")
INSTRUCTIONS = "smsp__inst_executed.sum"
INTEGERS = "smsp__sass_thread_inst_executed_op_integer_pred_on.sum"


def read(path):
    """[{metric: value}, ...] in the order of the launches, each with its "kernel"."""
    launches = {}
    lines = [line for line in path.read_text().splitlines() if line.startswith('"')]
    for row in csv.DictReader(lines):
        key = row.get("Process ID"), row["ID"]
        metrics = launches.setdefault(key, {"kernel": row["Kernel Name"]})
        try:
            metrics[row["Metric Name"]] = float(row["Metric Value"].replace(",", ""))
        except ValueError:
            pass  # Not counted on this GPU.
    return list(launches.values())


def by_launch(counted, launched):
    """{(case, element, size): {version: metrics}}; both lists are in one order."""
    if len(counted) != len(launched):
        raise ValueError(f"{len(counted)} launches were counted, {len(launched)} made")
    cases = {}
    for metrics, row in zip(counted, launched):
        key = row["case"], row["element"], row["size"]
        cases.setdefault(key, {})[row["version"]] = metrics
    return cases


def limiter(metrics):
    """The busiest unit and how busy it is, in percent; "latency" if none is."""
    busy, unit = max((metrics.get(metric, 0.0), unit) for unit, metric in UNITS.items())
    return (unit if busy >= BUSY else f"latency ({unit})"), busy


def launches_table(cases):
    """Instructions and limiter of each version."""
    lines = ["| kernel | version | warp instructions | integer, of all threads | limiter "
             "| busy |", "|---|---|---|---|---|---|"]
    for (case, element, size), versions in cases.items():
        for version, metrics in versions.items():
            unit, busy = limiter(metrics)
            lines.append(f"| {case} ({element} bytes, {size}) | {version} "
                         f"| {metrics.get(INSTRUCTIONS, 0):.0f} "
                         f"| {metrics.get(INTEGERS, 0):.0f} | {unit} | {busy:.0f} % |")
    return "\n".join(lines)


def sectors_table(counted, access):
    """Sectors a request: counted, and the range that access-report --json says. What it
    says may rest on assumptions about lanes, which the launch need not keep."""
    sums = {}
    for metrics in counted:
        kernel = sums.setdefault(metrics["kernel"], {})
        for name, value in metrics.items():
            if name != "kernel":
                kernel[name] = kernel.get(name, 0) + value
    lines = ["| kernel | access | sectors a request, counted | access-report | inside |",
             "|---|---|---|---|---|"]
    for kernel in json.loads(access.read_text())["kernels"]:
        metrics = sums.get(kernel["name"])
        for kind, short in (("load", "ld"), ("store", "st")):
            stem = "l1tex__t_{}_pipe_lsu_mem_global_op_" + short + ".sum"
            known = [of for of in kernel["accesses"]
                     if of["space"] == "global" and of["kind"] == kind
                     and "sectors" in of]
            ranges = [of["sectors"] for of in known]
            if not metrics or not ranges or not metrics.get(stem.format("requests")):
                continue
            value = metrics[stem.format("sectors")] / metrics[stem.format("requests")]
            low, high = min(r[0] for r in ranges), max(r[1] for r in ranges)
            assumes = any(words in text for of in known for text in
                          of.get("assumptions", []) for words in ABOUT_LANES)
            inside = ("yes" if low <= value <= high else
                      "no, it assumes more of lanes" if assumes else "NO")
            lines.append(f"| {kernel['name']} | {kind} | {value:.2f} | {low} to {high} | "
                         f"{inside} |")
    return "\n".join(lines)
