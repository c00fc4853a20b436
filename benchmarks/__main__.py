"""Runs every workload: `python -m benchmarks`, or only those named: `python -m benchmarks online stall`."""

import importlib
import sys

WORKLOADS = (
    "online",
    "shadow",
    "stall",
    "one_vs_all",
    "family",
    "compat",
    "separability",
    "boolean",
    "distributed",
    "kernel",
)


def main() -> None:
    chosen = sys.argv[1:] or WORKLOADS
    unknown = set(chosen) - set(WORKLOADS)
    if unknown:
        sys.exit(f"unknown workloads: {', '.join(sorted(unknown))}; there are {', '.join(WORKLOADS)}")
    for name in chosen:
        sys.argv = [name]  # a workload has options of its own when run by itself
        importlib.import_module(f"benchmarks.{name}").main()


main()
