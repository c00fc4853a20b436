"""The memory that this process can still allocate."""

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path


def available_memory() -> int | None:
    """Bytes that this process can still allocate; None if the system does not report it."""
    return min((known for known in (_of_system(), _of_container(), _of_process()) if known is not None), default=None)


def _of_system() -> int | None:
    with suppress(OSError, ValueError, IndexError):
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    with suppress(AttributeError, OSError, ValueError):  # macOS reports the total, not what is free
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return None


def _of_container() -> int | None:
    """Bytes left by the control group (version 2 or 1). Cached files count as free, since the kernel drops them."""
    for folder, limit, usage, cached in (
        ("/sys/fs/cgroup", "memory.max", "memory.current", "inactive_file"),
        ("/sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
    ):
        with suppress(OSError, ValueError):  # "max" means no limit
            left = int(Path(folder, limit).read_text()) - int(Path(folder, usage).read_text())
            return max(left + _entry(Path(folder, "memory.stat").read_text().splitlines(), cached), 0)
    return None


def _entry(lines: Iterable[str], name: str) -> int:
    return next((int(line.split()[1]) for line in lines if line.startswith(f"{name} ")), 0)


def _of_process() -> int | None:
    """Bytes left by `ulimit -v`."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        limit, _ = resource.getrlimit(resource.RLIMIT_AS)
        if limit != resource.RLIM_INFINITY:
            pages = int(Path("/proc/self/statm").read_text().split()[0])
            return max(limit - pages * resource.getpagesize(), 0)
    return None
