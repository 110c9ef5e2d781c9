"""Compare the lab with its peers: `python -m tests.benchmarks`.

    python -m tests.benchmarks                      the lab, and torch where it is installed
    python -m tests.benchmarks --all                every library that is installed
    python -m tests.benchmarks --only W1,W7c        some workloads (tests/benchmarks/data.py says what they are)
    python -m tests.benchmarks --libraries autograd_lab --rounds 15

Every library runs in a process of its own, in turns with the same work by hand in NumPy; a figure is the ratio of the
medians. CPU time, one thread, float32 (micrograd: Python floats). Read the ratios of one run, not the times.
"""

import argparse
import importlib
import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

from tests.benchmarks.data import WORKLOADS

ROOT = Path(__file__).resolve().parents[2]
#: name → (the module that must be there, where its workloads stand)
LIBRARIES = {
    "autograd_lab": ("autograd_lab", "torchlike.Lab"),
    "torch": ("torch", "torchlike.Torch"),
    "HIPS autograd": ("autograd", "hips.Hips"),
    "MyGrad": ("mygrad", "torchlike.MyGrad"),
    "MyGrad, guard off": ("mygrad", "torchlike.UnguardedMyGrad"),
    "micrograd": ("micrograd", "micrograd.Micrograd"),
}
USUAL = ("autograd_lab", "torch")


def child_environment() -> dict[str, str]:
    """Return an environment with one thread, and with OpenBLAS choosing its kernel itself.

    Some machines pin an old kernel through these two variables, which makes hand-written NumPy slow and every ratio
    look better than it is.
    """
    environment = {key: value for key, value in os.environ.items() if not key.startswith("OPENBLAS_")}
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    return {**environment, **threads, "PYTHONPATH": str(ROOT)}


def measure(name: str, workloads: list[str], rounds: int, block: float) -> dict[str, dict[str, float]]:
    """Return seconds a step of the library and of hand-written NumPy, by workload. Runs in the child."""
    from tests.benchmarks import hand
    from tests.benchmarks.clock import race

    module, _, class_name = LIBRARIES[name][1].partition(".")
    library = getattr(importlib.import_module(f"tests.benchmarks.{module}"), class_name)()
    seconds = {}
    for workload in workloads:
        make = getattr(library, workload.lower(), None)
        if make is None:
            continue
        try:
            steps = {"hand": getattr(hand, workload.lower())(), name: make()}
            seconds[workload] = race(steps, rounds, block)
        except Exception as error:
            print(f"{name} cannot do {workload}: {type(error).__name__}: {error}", file=sys.stderr)
    return seconds


def in_a_child(name: str, options: argparse.Namespace) -> dict[str, dict[str, float]] | None:
    """Measure a library in a process of its own; None when it failed."""
    command = [sys.executable, "-m", "tests.benchmarks", "--child", name, "--only", ",".join(options.only)]
    command += ["--rounds", str(options.rounds), "--block", str(options.block)]
    child = subprocess.run(
        command, cwd=ROOT, env=child_environment(), stdout=subprocess.PIPE, text=True, check=False
    )
    if child.returncode:
        print(f"{name}: failed", file=sys.stderr)
        return None
    return json.loads(child.stdout.splitlines()[-1])


def table(results: dict[str, dict[str, dict[str, float]]], workloads: list[str]) -> str:
    """Return the ratios to hand-written NumPy as a Markdown table; W7 also says nanoseconds a node."""
    lines = ["| workload | " + " | ".join(results) + " |", "|---" * (len(results) + 1) + "|"]
    for workload in workloads:
        cells = []
        for name, seconds in results.items():
            if workload not in seconds:
                cells.append("–")
                continue
            own, by_hand = seconds[workload][name], seconds[workload]["hand"]
            each = f" ({own * 1e6:,.0f} ns a node)" if workload.startswith("W7") else ""
            cells.append(f"{own / by_hand:.2f}{each}")
        lines.append(f"| {workload} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--all", action="store_true", help="every library that is installed")
    parser.add_argument("--libraries", type=lambda text: text.split(","), help="names, with commas between")
    parser.add_argument("--only", type=lambda text: text.split(","), default=list(WORKLOADS), help="W1,W2,…")
    parser.add_argument("--rounds", type=int, default=7, help="turns, of which the median counts")
    parser.add_argument("--block", type=float, default=0.06, help="seconds a turn")
    parser.add_argument("--json", type=Path, help="write the seconds to this file too")
    parser.add_argument("--child", help=argparse.SUPPRESS)
    options = parser.parse_args()
    for kind, given, known in (("workload", options.only, WORKLOADS), ("library", options.libraries or (), LIBRARIES)):
        unknown = sorted(set(given) - set(known))
        if unknown:
            parser.error(f"no {kind} {', '.join(unknown)}; there are: {', '.join(known)}")
    return options


def main() -> None:
    options = parse()
    if options.child:
        print(json.dumps(measure(options.child, options.only, options.rounds, options.block)))
        return
    chosen = options.libraries or (list(LIBRARIES) if options.all else list(USUAL))
    results = {}
    for name in chosen:
        if importlib.util.find_spec(LIBRARIES[name][0]) is None:
            print(f"{name}: not installed", file=sys.stderr)
            continue
        seconds = in_a_child(name, options)
        if seconds is not None:
            results[name] = seconds
    print(table(results, options.only))
    if options.json:
        options.json.write_text(json.dumps(results, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
