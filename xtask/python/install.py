#!/usr/bin/env python3
"""Installs requirements.txt into a folder of its own: an environment with its own Python, `sam`, `cargo lambda` and so on
in `bin`, and beside them the emulator of the Lambda runtime.

It needs `venv`, with `ensurepip` or with a pip on this machine: Debian has each in a package of its own. pip finds its
packages where this machine's settings say.
"""

import importlib.util
import platform
import shutil
import subprocess
import sys
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
REQUIREMENTS = HERE / "requirements.txt"


def main(folder: Path) -> None:
    # A copy of what was installed says that all of it was, so it goes first and comes last.
    installed = folder / "requirements.txt"
    installed.unlink(missing_ok=True)

    has_ensurepip = importlib.util.find_spec("ensurepip") is not None
    venv.create(folder, clear=True, symlinks=True, with_pip=has_ensurepip)
    python = folder / "bin" / "python"
    pip = [python, "-m", "pip"] if has_ensurepip else [sys.executable, "-m", "pip", "--python", python]
    install = ["install", "--require-hashes", "--no-deps", "--only-binary", ":all:", "--disable-pip-version-check"]
    subprocess.run([*pip, *install, "--requirement", REQUIREMENTS], check=True)

    emulator = next(folder.glob(f"lib/python*/site-packages/samcli/local/rapid/aws-lambda-rie-{machine()}"))
    link = folder / "bin" / "aws-lambda-rie"
    shutil.copyfile(emulator, link)
    link.chmod(0o755)

    shutil.copyfile(REQUIREMENTS, installed)


def machine() -> str:
    return "arm64" if platform.machine() in ("arm64", "aarch64") else "x86_64"


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: install.py FOLDER")
    try:
        main(Path(sys.argv[1]).resolve())
    except subprocess.CalledProcessError as error:
        sys.exit(f"pip failed with {error.returncode}: see above")
