"""Suite `core`: the resampler alone, in process, one thread, against resizers."""

import json
import os
import statistics
import subprocess
import time

import numpy as np

import reference
from report import Row, say, spread

SIZES = ((1024, 768), (243, 182), (54, 40))
NAMES = {4: "rgba", 3: "rgb", 1: "grey"}


class Ours:
    """WidgetBenchmarks as a child that waits for commands."""

    def __init__(self, binary):
        self.child = subprocess.Popen(
            [binary], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ask(self, command):
        self.child.stdin.write(command + "\n")
        self.child.stdin.flush()
        answer = json.loads(self.child.stdout.readline() or '{"error":"WidgetBenchmarks died"}')
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return answer

    def close(self):
        self.child.stdin.close()
        self.child.wait()


def fast_image_resize(pixels, size, extensions):
    import cykooz_resizer as fir

    rows, columns, channels = pixels.shape
    kind = {4: fir.PixelType.U8x4, 3: fir.PixelType.U8x3, 1: fir.PixelType.U8}[channels]
    source = fir.ImageData(columns, rows, kind, pixels.tobytes())
    target = fir.ImageData(*size, kind)
    resizer = fir.Resizer()
    resizer.cpu_extensions = getattr(fir.CpuExtensions, extensions)
    if resizer.cpu_extensions != getattr(fir.CpuExtensions, extensions):
        raise RuntimeError(f"no {extensions} here")
    options = fir.ResizeOptions(
        fir.ResizeAlg.convolution(fir.FilterType.lanczos3),
        use_alpha=channels == 4,
        thread_pool=fir.ResizerThreadPool(1),
    )

    def run():
        resizer.resize(source, target, options)

    def output():
        return np.frombuffer(target.get_buffer(), np.uint8)

    return run, output


def opencv(pixels, size):
    import cv2

    cv2.setNumThreads(1)
    target = np.empty((size[1], size[0], pixels.shape[2]), np.uint8)

    def run():
        cv2.resize(pixels, size, dst=target, interpolation=cv2.INTER_AREA)

    return run, lambda: target


def pillow(pixels, size):
    from PIL import Image

    mode = {4: "RGBA", 3: "RGB", 1: "L"}[pixels.shape[2]]
    picture = Image.frombytes(mode, (pixels.shape[1], pixels.shape[0]), pixels.tobytes())
    kept = []

    def run():
        kept[:] = [picture.resize(size, Image.Resampling.LANCZOS)]

    return run, lambda: np.asarray(kept[0])


def libvips(pixels, size, linear):
    # Read when libvips starts.
    os.environ["VIPS_CONCURRENCY"] = "1"
    import pyvips

    pyvips.cache_set_max(0)
    rows, columns, channels = pixels.shape
    picture = pyvips.Image.new_from_memory(pixels.tobytes(), columns, rows, channels, "uchar")
    picture = picture.copy(interpretation="b-w" if channels == 1 else "srgb")
    kept = []

    def run():
        small = picture.thumbnail_image(size[0], height=size[1], size="force", linear=linear)
        kept[:] = [small.write_to_memory()]

    def output():
        return np.frombuffer(kept[0], np.uint8)

    return run, output


PEERS = {
    "fast_image_resize avx2": lambda pixels, size: fast_image_resize(pixels, size, "avx2"),
    "fast_image_resize no SIMD": lambda pixels, size: fast_image_resize(pixels, size, "none"),
    "OpenCV INTER_AREA": opencv,
    "Pillow": pillow,
    "libvips": lambda pixels, size: libvips(pixels, size, False),
    "libvips linear": lambda pixels, size: libvips(pixels, size, True),
}
# What is timed against a tier other than the best.
SCALAR_PEER = "fast_image_resize no SIMD"


def measure(ours, build, names, rounds):
    """Interleaved rounds: processor nanoseconds of each of `names`, and ours.

    Processor time of the whole process: on a quiet machine it is the wall's time
    of one thread, on a busy one it still tells the work. Every five rounds the
    peers' pictures are made anew: where a buffer happens to lie makes up to twice
    the time for some, and nobody shall win by that. Gives the outputs too.
    """
    times = {name: [] for name in (*names, "ours", "setup")}
    runners = {}
    for turn in range(rounds):
        for name in names:
            if turn % 5 == 0:
                runners[name] = build(name)
                runners[name][0]()
            start = time.process_time_ns()
            runners[name][0]()
            times[name].append(time.process_time_ns() - start)
        answer = ours.ask("run 1")
        times["ours"] += answer["cpu_ns"]
        times["setup"] += answer["setup_ns"]
    return times, {name: runners[name][1]() for name in names}


def one_case(setting, ours, channels, size, tier, wanted, rounds, exact):
    """Rows of one case: time against each peer, and each one's error."""
    pixels = setting.pixels[channels]
    case = f"{NAMES[channels]} 4032x3024 -> {size[0]}x{size[1]}"
    if tier != setting.best_tier:
        case += f", {tier} kernels"
    ours.ask(f"plan {size[0]} {size[1]} lanczos3 {tier}")
    names, rows = [], []

    def build(name):
        return PEERS[name](pixels, size)

    for name in wanted:
        try:
            build(name)[0]()
            names.append(name)
        except Exception as problem:
            rows.append(Row("core", case, None, name, None, "cpu ms", note=f"skipped: {problem}"))
    times, outputs = measure(ours, build, names, rounds)
    best = min(times["ours"]) / 1e6
    for name in names:
        theirs = min(times[name]) / 1e6
        ignores = channels == 4 and name.startswith("OpenCV")
        rows.append(
            Row(
                "core", case, best, name, theirs, "cpu ms", spread(times["ours"]),
                note="it ignores alpha" if ignores else "",
            )
        )

    ours.ask(f"write {setting.scratch}")
    shape = (size[1], size[0], channels)
    error = reference.largest_error(
        np.fromfile(setting.scratch, np.uint8).reshape(shape), exact
    )
    for name in names:
        theirs = reference.largest_error(outputs[name].reshape(shape), exact)
        rows.append(
            Row("core", case + ", error", error, name, theirs, "of 255")
        )
    if not names:
        rows.append(Row("core", case, best, "-", None, "cpu ms", spread(times["ours"])))
        rows.append(Row("core", case + ", error", error, "-", None, "of 255"))
    if error > 1:
        setting.failures.append(f"core: {case}: the largest error is {error:.2f} of 255, not 1")
    median = statistics.median(times["ours"]) / 1e6
    setup = min(times["setup"]) / 1e6
    say(
        f"core: {case}: best {best:.1f} ms (tables {setup:.1f}), median {median:.1f} ms,"
        f" largest error {error:.2f}"
    )
    return rows


def run(setting):
    rows = []
    rounds = 15
    sizes = (SIZES[0], SIZES[2]) if setting.quick else SIZES
    wanted = ["fast_image_resize avx2"] if setting.quick else list(PEERS)
    ours = Ours(setting.core_binary)
    try:
        tiers = ours.ask("tiers")
        setting.best_tier = tiers["best"]
        for channels in NAMES:
            path = setting.inputs.raw(channels)
            setting.pixels[channels] = np.fromfile(path, np.uint8).reshape(3024, 4032, channels)
            ours.ask(f"load {path} 4032 3024 {channels}")
            for size in sizes:
                exact = reference.resize(setting.pixels[channels], *size)
                rows += one_case(
                    setting, ours, channels, size, tiers["best"], wanted, rounds, exact
                )
                if setting.quick:
                    continue
                for tier in tiers["tiers"]:
                    if tier == tiers["best"]:
                        continue
                    rows += one_case(
                        setting, ours, channels, size, tier, [SCALAR_PEER], 3, exact
                    )
            setting.pixels[channels] = None
    finally:
        ours.close()
    return rows
