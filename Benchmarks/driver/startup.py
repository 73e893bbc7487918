"""Suites `startup` and `scaling`."""

import os
import sys

import formats
import inputs
import process
from core import Ours
from report import Row, say, spread

VERSION_WORDS = {
    "vipsthumbnail": ["vipsthumbnail", "--vips-version"],
    "GraphicsMagick": ["gm", "version"],
    "pyvips": [sys.executable, "-c", "import pyvips"],
    "Pillow": [sys.executable, "-c", "import PIL.Image"],
}


def run(setting):
    rows = []
    rounds = 15 if setting.quick else 40
    version = {"ours": [setting.tool, "--version"]}
    for name, words in VERSION_WORDS.items():
        if name not in setting.missing_peers:
            version[name] = words
    if "ImageMagick" not in setting.missing_peers:
        version["ImageMagick"] = [process.imagemagick_program(), "--version"]

    logo = setting.inputs.logo()
    target = os.path.join(setting.scratch_folder, "logo.png")
    small = {"ours": process.ours(setting.tool, logo, 54, target)}
    for name in process.PEERS:
        if name not in setting.missing_peers and name not in process.LINEAR:
            small[name] = process.PEERS[name](logo, 54, target)

    for case, words in (("--version", version), ("64x64 logo -> 54 px png", small)):
        runs, problems = formats.interleaved(setting, words, rounds)
        for name, problem in problems.items():
            rows.append(Row("startup", case, None, name, None, "s", note=f"skipped: {problem}"))
        for name in runs:
            if name == "ours":
                continue
            rows.append(formats.pair("startup", case, runs["ours"], name, runs[name]))
            rows.append(
                Row(
                    "startup", case + ", resident",
                    max(run.resident for run in runs["ours"]) / 1e6, name,
                    max(run.resident for run in runs[name]) / 1e6, "MB",
                )  # fmt: skip
            )
        say(f"startup: {case}: {formats.median(runs['ours']) * 1000:.1f} ms")
    return rows


def start_seconds(setting):
    """What the tool takes to start and say its version: the least of some runs."""
    words = [setting.tool, "--version"]
    return min(setting.launcher.run(words).seconds for _ in range(12))


# Megapixels of the pictures; the first of `SCALED` that is at least 4 is 1.0.
SCALED = (1, 4, 12, 50, 200)


def run_scaling(setting):
    return in_process(setting) + whole_process(setting)


def in_process(setting):
    """Time a megapixel of the resampler, on rows that repeat: 54 px wide."""
    rows = []
    ours = Ours(setting.core_binary)
    try:
        for channels, name in ((3, "rgb"), (4, "rgba")):
            best = {}
            rounds = {}
            for megapixels in SCALED:
                width = round((megapixels * 1e6 * 4 / 3) ** 0.5)
                height = round(width * 3 / 4)
                # 24 MB of rows, more than the caches hold, given again and again.
                kept = min(height, max(1, 24_000_000 // (width * channels)))
                ours.ask(f"noise {width} {kept} {channels}")
                tier = setting.best_tier or ours.ask("tiers")["best"]
                ours.ask(f"plan 54 40 lanczos3 {tier} {height}")
                count = 3 if megapixels >= 50 else 7
                times = ours.ask(f"run {count}")["cpu_ns"]
                rounds[megapixels] = times
                best[megapixels] = min(times) / 1e6 / (width * height / 1e6)
            for megapixels in SCALED:
                case = f"{name} {megapixels} MP -> 54x40, in process"
                rows.append(
                    Row(
                        "scaling", case, best[megapixels], "ours at 4 MP", best[4],
                        "cpu ms/MP", spread(rounds[megapixels]),
                    )  # fmt: skip
                )
    finally:
        ours.close()
    say("scaling: in process")
    return rows


def whole_process(setting):
    """Time a megapixel and peaks of the tool over PNG and JPEG files."""
    rows = []
    sizes = SCALED[:3] if setting.quick else SCALED
    for form in ("png", "jpeg"):
        results = {}
        for megapixels in sizes:
            try:
                source, exact = setting.inputs.scaled(form, megapixels)
            except inputs.Missing as missing:
                note = f"skipped: {missing}"
                rows.append(
                    Row("scaling", f"{form} {megapixels} MP", None, "-", None, "s", note=note)
                )
                continue
            target = os.path.join(setting.scratch_folder, "out" + formats.extension(form))
            words = {"ours": process.ours(setting.tool, source, 54, target)}
            if "vipsthumbnail" not in setting.missing_peers:
                words["vipsthumbnail"] = process.vipsthumbnail(source, 54, target)
            runs, problems = formats.interleaved(setting, words, 3 if megapixels >= 50 else 7)
            sampled, _ = formats.interleaved(setting, words, 1, sample=True)
            if "ours" in problems:
                note = formats.note_of(setting, "ours", problems["ours"])
                rows.append(
                    Row("scaling", f"{form} {megapixels} MP", None, "-", None, "s", note=note)
                )
                continue
            results[megapixels] = (runs, sampled, exact)
            say(f"scaling: {form} {megapixels} MP: {formats.median(runs['ours']):.2f} s")
        rows += table_of(form, results)
    return rows


def table_of(form, results):
    rows = []

    def time(megapixels, name):
        runs, _, exact = results[megapixels]
        return 1000 * min(run.seconds for run in runs[name]) / exact

    def memory(megapixels, name, kind):
        return max(getattr(run, kind) for run in results[megapixels][1][name]) / 1e6

    for megapixels, (runs, _, _) in results.items():
        case = f"{form} {megapixels} MP -> 54 px"
        wobble = spread([run.seconds for run in runs["ours"]])
        mine = time(megapixels, "ours")
        if 4 in results:
            rows.append(
                Row("scaling", case, mine, "ours at 4 MP", time(4, "ours"), "ms/MP", wobble)
            )
        if "vipsthumbnail" in runs:
            theirs = time(megapixels, "vipsthumbnail")
            rows.append(Row("scaling", case, mine, "vipsthumbnail", theirs, "ms/MP", wobble))
        for kind in ("resident", "anonymous"):
            mine_bytes = memory(megapixels, "ours", kind)
            label = f"{case}, {kind}"
            if 4 in results:
                base = memory(4, "ours", kind)
                rows.append(Row("scaling", label, mine_bytes, "ours at 4 MP", base, "MB"))
            if "vipsthumbnail" in runs:
                theirs = memory(megapixels, "vipsthumbnail", kind)
                rows.append(Row("scaling", label, mine_bytes, "vipsthumbnail", theirs, "MB"))
    return rows
