#!/usr/bin/env python3
"""Ours against likwid-bench, STREAM (HPC Challenge's) and OpenBLAS on this machine, run alternately.

usage: bench/peers.py [--rounds 5] [--program build/release/src/cli/roofline]

Needs likwid-bench; hpcc with mpirun, and a BLAS, where those columns are wanted (Debian: likwid hpcc openmpi-bin
libopenblas0-pthread). One round runs every tool once. Printed: median and best of the rounds, and the ratio of the bests.
docs/measure.md, "Compared with other tools", holds such a table."""
import argparse, csv, io, os, re, statistics, subprocess, sys, tempfile

CPUS = len(os.sched_getaffinity(0))
LEVELS = {"L1": 16, "L2": 512, "DRAM": 256 * 1024}  # kB a thread, all arrays


def run(command, **options):
    done = subprocess.run(command, capture_output=True, text=True, **options)
    return done.stdout if done.returncode == 0 else ""


def ours(program):
    """Best value by (pattern, dtype or level, threads), over instruction sets, in G/s."""
    found = {}
    for row in csv.DictReader(io.StringIO(run([program, "measure", "--csv", "--no-save"]))):
        if not row.get("value") or (row["from_node"] not in ("", "-1")):
            continue
        key = (row["pattern"], row["level"] or row["dtype"], int(row["threads"]))
        found[key] = max(found.get(key, 0), float(row["value"]) / 1e9)
    return found


def likwid(kernel, kilobytes, threads):
    """About a third of a second; the iterations are given, so that none is spent on finding them."""
    bytes_at_once = 15e9 if kilobytes > 1000 else 40e9
    rounds = 30000 if kernel.startswith("peakflops") else max(4, int(bytes_at_once / (kilobytes * 1000)))
    text = run(["likwid-bench", "-t", kernel, "-i", str(rounds), "-w", f"S0:{kilobytes * threads}kB:{threads}"])
    name = "MFlops/s" if kernel.startswith("peakflops") else "MByte/s"
    match = re.search(name + r":\s+([0-9.]+)", text)
    return float(match.group(1)) / 1e3 if match else None


def stream(threads):
    """STREAM of HPC Challenge: copy and triad, all threads together."""
    with tempfile.TemporaryDirectory() as folder:
        template = open("/usr/share/doc/hpcc/examples/_hpccinf.txt").read().split("\n")
        template[5], template[10], template[11] = "4000 Ns", "1 Ps", f"{threads} Qs"
        open(folder + "/hpccinf.txt", "w").write("\n".join(template))
        run(["mpirun", "--allow-run-as-root", "-np", str(threads), "--bind-to", "core", "hpcc"], cwd=folder)
        text = open(folder + "/hpccoutf.txt").read() if os.path.exists(folder + "/hpccoutf.txt") else ""
    found = {}
    for name, key in (("Copy", "copy"), ("Triad", "triad")):
        for kind, count in (("Single", 1), ("Star", threads)):
            match = re.search(rf"{kind}STREAM_{name}=([0-9.]+)", text)
            if match:
                found[key, count] = float(match.group(1)) * count
    return found


def blas(program, dtype, threads):
    text = run([program, "op", "gemm", "m=2048", "n=2048", "k=2048", "dtype=" + dtype, "--on",
                "this" if threads > 1 else "this:1", "--run", "--csv"])
    rows = list(csv.DictReader(io.StringIO(text)))
    if not rows or not rows[0].get("measured_seconds"):
        return None
    return float(rows[0]["flops"]) / float(rows[0]["measured_seconds"]) / 1e9


def comparisons():
    """(label, key of ours, [other tools' kernels])"""
    vector = "avx512" if "avx512f" in open("/proc/cpuinfo").read() else "avx"
    for threads in sorted({1, CPUS}):
        for dtype, short in (("f64", ""), ("f32", "_sp")):
            yield f"{dtype} FMA, {threads} core(s)", [("fma", dtype, threads)], [
                ("likwid", f"peakflops{short}_{vector}_fma", 24, threads), ("blas", dtype, threads)]
        for level, size in LEVELS.items():
            for pattern, kernel in (("load", "load"), ("copy", "copy"), ("triad", "stream"), ("store", "store")):
                fma = "_fma" if kernel == "stream" else ""
                others = [("likwid", f"{kernel}_{vector}{fma}", size, threads)]
                if level == "DRAM" and pattern in ("copy", "triad"):
                    others.append(("stream", pattern, threads))
                yield f"{level} {pattern}, {threads} core(s)", [(pattern, level, threads)], others
                if level == "DRAM" and pattern != "load":
                    yield f"DRAM {pattern} nt, {threads} core(s)", [(pattern + " nt", level, threads)], [
                        ("likwid", f"{kernel}_mem_{vector}", size, threads)]


def measure(other, program, streams):
    if other[0] == "likwid":
        return likwid(*other[1:])
    if other[0] == "stream":
        return streams.get(other[1:])
    return blas(program, *other[1:])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--program", default="build/release/src/cli/roofline")
    arguments = parser.parse_args()
    rows = list(comparisons())
    mine = {row[0]: [] for row in rows}
    theirs = {}
    for number in range(arguments.rounds):
        print(f"round {number + 1} of {arguments.rounds}", file=sys.stderr)
        found, streams = ours(arguments.program), stream(CPUS)
        for label, keys, others in rows:
            values = [found[key] for key in keys if key in found]
            if values:
                mine[label].append(max(values))
            for other in others:
                value = measure(other, arguments.program, streams)
                if value:
                    theirs.setdefault((label, other[0] + " " + str(other[1])), []).append(value)
    print(f"{'':26} {'ours G/s':>17}  {'other':28} {'G/s':>17}  ours/other")
    print(f"{'':26} {'median':>8} {'best':>8}  {'':28} {'median':>8} {'best':>8}  of the bests")
    for label, _, _ in rows:
        for (of, name), values in theirs.items():
            if of == label and mine[label]:
                print(f"{label:26} {statistics.median(mine[label]):8.1f} {max(mine[label]):8.1f}  {name:28} "
                      f"{statistics.median(values):8.1f} {max(values):8.1f}  {max(mine[label]) / max(values):6.3f}")


if __name__ == "__main__":
    main()
