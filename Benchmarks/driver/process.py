"""Whole processes: who is run, with which words, and what that took."""

import dataclasses
import json
import os
import shutil
import subprocess
import sys

from report import HERE, say

PEERS_FOLDER = os.path.join(HERE, "peers")
# The tool's own words on each run; set once by main.
FLOORS = {"jpeg": "libjpeg", "png": "libpng", "webp": "libwebp"}


@dataclasses.dataclass
class Run:
    seconds: float
    cpu_seconds: float
    resident: int
    anonymous: int
    status: int


class Failed(Exception):
    """A command ended with another status than 0; the message is its own."""

    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


class Launcher:
    """Runs commands through `measure`, compiled by `compile_all`."""

    def __init__(self, folder):
        self.folder = folder
        self.environment = dict(os.environ, PYTHONDONTWRITEBYTECODE="1")

    def compile_all(self):
        """Compiles `measure` and the floors; gives the reasons of what failed."""
        os.makedirs(self.folder, exist_ok=True)
        compiler = shutil.which("cc") or shutil.which("clang") or shutil.which("gcc")
        if not compiler:
            raise SystemExit("Error: no C compiler was found to build Benchmarks/floors/measure.c")
        problems = {}
        for name, library in {"measure": None, **FLOORS}.items():
            flags = []
            if library:
                found = subprocess.run(
                    ["pkg-config", "--cflags", "--libs", library], capture_output=True, text=True
                )
                if found.returncode:
                    problems[name] = f"pkg-config does not know {library}"
                    continue
                flags = found.stdout.split()
            source = os.path.join(HERE, "floors", name + ".c")
            built = subprocess.run(
                [compiler, "-O2", "-Wall", "-o", os.path.join(self.folder, name), source, *flags],
                capture_output=True,
                text=True,
            )
            if built.returncode:
                problems[name] = built.stderr.strip().splitlines()[-1]
        if "measure" in problems:
            raise SystemExit(f"Error: Benchmarks/floors/measure.c: {problems['measure']}")
        for name, problem in problems.items():
            say(f"The floor {name} is left out: {problem}")
        return problems

    def run(self, command, sample=False):
        """Runs once. Raises `Failed` unless it ends with 0."""
        words = [os.path.join(self.folder, "measure"), *(["-s"] if sample else []), *command]
        done = subprocess.run(words, capture_output=True, text=True, env=self.environment)
        if done.returncode:
            raise Failed(done.returncode, done.stderr.strip()[-300:])
        figures = json.loads(done.stdout)
        if figures["status"]:
            lines = done.stderr.strip().splitlines()
            raise Failed(figures["status"], lines[-1][-300:] if lines else "no message")
        return Run(
            figures["ns"] / 1e9,
            figures["cpu_us"] / 1e6,
            figures["resident"],
            figures["anonymous"],
            0,
        )


def ours(tool, source, size, target, *options):
    return [tool, "fit", source, "--px", str(size), "-o", target, "--quiet", *options]


def vipsthumbnail(source, size, target, linear=False):
    quality = "[Q=85]" if target.endswith(".jpg") else ""
    words = ["vipsthumbnail", source, "--size", f"{size}x{size}", "-o", target + quality]
    return words + ["--linear"] if linear else words


def graphicsmagick(source, size, target):
    # The hint lets its JPEG reader shrink on load.
    return [
        "gm", "convert", "-size", f"{size}x{size}", source, "-resize", f"{size}x{size}",
        "-quality", "85" if target.endswith(".jpg") else "75", target,
    ]  # fmt: skip


def imagemagick(source, size, target):
    quality = ["-quality", "85"] if target.endswith(".jpg") else []
    return [
        imagemagick_program(), "-define", f"jpeg:size={2 * size}x{2 * size}", source,
        "-thumbnail", f"{size}x{size}", *quality, target,
    ]  # fmt: skip


def imagemagick_program():
    """Version 7's name, or a `convert` that is ImageMagick's: other things bear that name."""
    for name in ("magick", "convert-im6.q16", "/usr/bin/convert", "convert"):
        found = shutil.which(name)
        if found and "ImageMagick" in first_line([found, "--version"]):
            return found
    return None


def script(name, *words):
    return [sys.executable, os.path.join(PEERS_FOLDER, name), *words]


PEERS = {
    "vipsthumbnail": vipsthumbnail,
    "vipsthumbnail --linear": lambda *words: vipsthumbnail(*words, linear=True),
    "pyvips": lambda source, size, target: script("vips.py", source, str(size), target),
    "pyvips linear": lambda source, size, target: script(
        "vips.py", source, str(size), target, "linear"
    ),
    "Pillow": lambda source, size, target: script("pillow.py", source, str(size), target),
    "GraphicsMagick": graphicsmagick,
    "ImageMagick": imagemagick,
}
LINEAR = ("vipsthumbnail --linear", "pyvips linear")


def first_line(command):
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    except OSError:
        return ""
    lines = (done.stdout + done.stderr).strip().splitlines()
    return lines[0] if lines and done.returncode == 0 else ""


def unavailable():
    """Peers that can't run here, each with the reason."""
    missing = {}
    if not first_line(["vipsthumbnail", "--vips-version"]):
        missing["vipsthumbnail"] = "vipsthumbnail is not installed"
    if not first_line(["gm", "version"]):
        missing["GraphicsMagick"] = "gm is not installed"
    if not imagemagick_program():
        missing["ImageMagick"] = "ImageMagick is not installed"
    for peer, module in (("pyvips", "pyvips"), ("Pillow", "PIL.Image")):
        done = subprocess.run(
            [sys.executable, "-c", f"import {module}"], capture_output=True, text=True
        )
        if done.returncode:
            missing[peer] = done.stderr.strip().splitlines()[-1][-120:]
    for linear in LINEAR:
        if linear.split()[0] in missing:
            missing[linear] = missing[linear.split()[0]]
    return missing
