"""The pictures that are measured: made once, kept outside the tree.

The photograph is `Elephants_5640x3172.jpg` of Debian's mate-backgrounds (GPL-2+,
never copied into the tree): cut to 4230x3172, resized to 4032x3024, then coded in
eight ways. `--source sample` takes `SampleImages/photo.jpg` instead, for machines
without apt-get and for the gate.
"""

import glob
import os
import shutil
import subprocess
import tempfile

from report import HERE, say

WIDTH, HEIGHT = 4032, 3024
CODINGS = {
    "jpeg": "baseline.jpg",
    "jpeg progressive": "progressive.jpg",
    "png rgb": "rgb.png",
    "png rgba": "rgba.png",
    "png adam7": "adam7.png",
    "webp lossy": "lossy.webp",
    "webp lossy alpha": "lossy-alpha.webp",
    "webp lossless": "lossless.webp",
}
# Real photographs that are measured beside it: package, path, what it is.
PHOTOGRAPHS = {
    "photo lake, jpeg 4:2:2 progressive 13 MP": (
        "lomiri-wallpapers-16.04",
        "usr/share/backgrounds/Dragonfly_by_Bolly.jpg",
    ),
    "photo flowers, png rgb 6 MP": (
        "lxqt-themes",
        "usr/share/lxqt/wallpapers/flowers.png",
    ),
    "artwork pixels, webp lossy 17 MP": (
        "gnome-backgrounds",
        "usr/share/backgrounds/gnome/pixels-l.webp",
    ),
}
DEBIAN = ("mate-backgrounds", "usr/share/backgrounds/mate/abstract/Elephants_5640x3172.jpg")


class Missing(Exception):
    """An input that can't be had here, with the reason."""


def cache_folder():
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return os.path.join(base, "widgetimg-bench")


def from_package(package, path):
    """Fetches a file out of a Debian package; installs nothing."""
    kept = os.path.join(cache_folder(), "originals", os.path.basename(path))
    if os.path.exists(kept):
        return kept
    if not shutil.which("apt-get") or not shutil.which("dpkg"):
        raise Missing(f"{package} comes by apt-get, which is not here")
    os.makedirs(os.path.dirname(kept), exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        say(f"Fetching {os.path.basename(path)} out of Debian's {package} ...")
        # root downloads as another user, who may not write here: no sandbox.
        words = ["apt-get", "-q", "-o", "APT::Sandbox::User=root", "download", package]
        fetched = subprocess.run(words, cwd=folder, capture_output=True, text=True)
        if fetched.returncode and os.geteuid() == 0:
            # A fresh machine has no package lists.
            subprocess.run(["apt-get", "-q", "update"], capture_output=True)
            fetched = subprocess.run(words, cwd=folder, capture_output=True, text=True)
        archives = glob.glob(os.path.join(folder, "*.deb"))
        if fetched.returncode or not archives:
            raise Missing(f"apt-get could not download {package}: {fetched.stderr.strip()[-200:]}")
        subprocess.run(["dpkg", "-x", archives[0], folder], check=True)
        found = os.path.join(folder, path)
        if not os.path.exists(found):
            raise Missing(f"{package} has no {path}")
        shutil.copyfile(found, kept + ".part")
        os.replace(kept + ".part", kept)
    return kept


class Inputs:
    """Paths of inputs, each made when first asked for."""

    def __init__(self, source):
        self.source = source
        self.folder = os.path.join(cache_folder(), source)
        os.makedirs(self.folder, exist_ok=True)
        self._photograph = None

    def photograph(self):
        """The picture itself: Pillow, RGB, 4032x3024."""
        if self._photograph is None:
            from PIL import Image

            if self.source == "sample":
                with Image.open(os.path.join(HERE, "..", "SampleImages", "photo.jpg")) as picture:
                    self._photograph = picture.convert("RGB")
            else:
                with Image.open(from_package(*DEBIAN)) as picture:
                    cut = picture.convert("RGB").crop((0, 0, 4230, 3172))
                self._photograph = cut.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS)
        return self._photograph

    def with_ellipse(self):
        """The picture with alpha: a soft-edged ellipse that touches the sides."""
        import numpy as np
        from PIL import Image

        y, x = np.mgrid[0:HEIGHT, 0:WIDTH].astype(np.float32)
        radius = np.hypot((2 * x + 1) / WIDTH - 1, (2 * y + 1) / HEIGHT - 1)
        alpha = np.clip((1 - radius) * 12, 0, 1) * 255 + 0.5
        picture = self.photograph().copy()
        picture.putalpha(Image.fromarray(alpha.astype(np.uint8)))
        return picture

    def made(self, name, make):
        path = os.path.join(self.folder, name)
        if not os.path.exists(path):
            say(f"Making {path} ...")
            part = os.path.join(self.folder, "part-" + name)
            make(part)
            os.replace(part, path)
        return path

    def coded(self, coding):
        """The picture in one of `CODINGS`, or a path of `PHOTOGRAPHS`."""
        if coding in PHOTOGRAPHS:
            return from_package(*PHOTOGRAPHS[coding])
        if coding == "jpeg" and self.source == "sample":
            return os.path.normpath(os.path.join(HERE, "..", "SampleImages", "photo.jpg"))
        makers = {
            "jpeg": lambda to: self.photograph().save(to, "JPEG", quality=96, subsampling="4:2:0"),
            "jpeg progressive": lambda to: self.photograph().save(
                to, "JPEG", quality=96, subsampling="4:2:0", progressive=True
            ),
            "png rgb": lambda to: self.photograph().save(to, "PNG", compress_level=6),
            "png rgba": lambda to: self.with_ellipse().save(to, "PNG", compress_level=6),
            "png adam7": self._interlaced,
            "webp lossy": lambda to: self.photograph().save(to, "WEBP", quality=90),
            "webp lossy alpha": lambda to: self.with_ellipse().save(to, "WEBP", quality=90),
            "webp lossless": lambda to: self.photograph().save(to, "WEBP", lossless=True),
        }
        return self.made(CODINGS[coding], makers[coding])

    def _interlaced(self, to):
        try:
            import pyvips
        except Exception as problem:
            raise Missing(f"interlaced PNG is written by pyvips, which fails here: {problem}")
        picture = pyvips.Image.new_from_file(self.coded("png rgba"))
        picture.pngsave(to, interlace=True, compression=6)

    def raw(self, channels):
        """Samples for the resize core: 4 with the ellipse, 3, or 1 grey."""

        def make(to):
            pictures = {
                4: self.with_ellipse,
                3: self.photograph,
                1: lambda: self.photograph().convert("L"),
            }
            with open(to, "wb") as file:
                file.write(pictures[channels]().tobytes())

        return self.made(f"rows-{channels}.raw", make)

    def logo(self):
        """The sample logo at 64x64."""

        def make(to):
            from PIL import Image

            with Image.open(os.path.join(HERE, "..", "SampleImages", "logo.png")) as picture:
                picture.resize((64, 64), Image.Resampling.LANCZOS).save(to, "PNG")

        return self.made("logo-64.png", make)

    def scaled(self, form, megapixels):
        """The picture repeated to 4:3 and that many megapixels, as "png" or "jpeg"."""
        width = round((megapixels * 1e6 * 4 / 3) ** 0.5)
        height = round(width * 3 / 4)

        def make(to):
            from PIL import Image, ImageChops

            tile = self.photograph()
            # Written whole: 200 MP take 600 MB here, once.
            picture = Image.new("RGB", (width, height))
            for top in range(0, height, HEIGHT):
                for left in range(0, width, WIDTH):
                    # Each column begins lower: a tile is 12 KB wide, and inflate
                    # would find its neighbour's bytes again within the window.
                    picture.paste(ImageChops.offset(tile, 0, left * 997 // WIDTH), (left, top))
            if form == "png":
                picture.save(to, "PNG", compress_level=3)
            else:
                picture.save(to, "JPEG", quality=90, subsampling="4:2:0")

        return self.made(f"scaled-{megapixels}.{form}", make), width * height / 1e6
