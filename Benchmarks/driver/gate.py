"""What `Benchmarks/gate` calls: new figures against thresholds/*.json.

counts        bytes on the ledger and allocations of the tool, by the malloc probe
instructions  of the resampler's passes, by callgrind
ratios        of processor time, against peers and bare decoders

Only more than the margin fails. Figures that were recorded in another
environment (compiler, libraries, processor: whatever they depend on) are told,
not judged.
"""

import argparse
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile

from report import HERE, processor, say

ROOT = os.path.dirname(HERE)
# By figure: how much more is let pass, as a share, and in units besides.
MARGINS = {
    "ledgerPeak": (0.01, 0),
    "allocations": (0.02, 8),
    "instructions": (0.02, 0),
    "ratio": (0.25, 0),
}
FITS = {
    "jpeg 12 MP -> 54 px": ("photo.jpg", "--px", "54"),
    "jpeg 12 MP -> 54 px --fast": ("photo.jpg", "--px", "54", "--fast"),
    "jpeg 12 MP -> 1024 px": ("photo.jpg", "--px", "1024"),
    "jpeg turned -> 300x300 cover": ("portrait.jpg", "--px", "300", "--mode", "cover"),
    "png rgba -> 54 px": ("logo.png", "--px", "54"),
    "png palette -> 54 px": ("logo-palette.png", "--px", "54"),
    "png 16 bits -> 54 px": ("deep.png", "--px", "54"),
    "webp lossy alpha -> 54 px": ("cover.webp", "--px", "54"),
}
CORE = [(channels, size) for channels in (4, 3, 1) for size in ("126 94", "7 5")]


class Skipped(Exception):
    pass


def line_of(*command):
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except OSError:
        return "unknown"
    text = (done.stdout or done.stderr).strip().splitlines()
    return text[0] if text else "unknown"


def environment(part):
    """What the figures of a part depend on."""
    result = {"machine": f"{platform.system()} {platform.machine()}"}
    if part in ("counts", "instructions"):
        result["swift"] = line_of("swift", "--version")
    if part != "instructions":
        for library in ("libpng", "libjpeg", "libwebp"):
            result[library] = line_of("pkg-config", "--modversion", library)
    if part == "instructions":
        result["valgrind"] = line_of("valgrind", "--version")
    if part == "ratios":
        result["processor"] = processor()
        result["cykooz.resizer"] = module_version("cykooz.resizer")
    return result


def module_version(name):
    import importlib.metadata

    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return "not installed"


def counts(arguments):
    if sys.platform != "linux":
        raise Skipped("the malloc probe is for Linux with glibc")
    probe = os.path.join(arguments.build, "malloc_probe.so")
    os.makedirs(arguments.build, exist_ok=True)
    compiler = shutil.which("clang") or shutil.which("cc")
    source = os.path.join(ROOT, "Tests", "CMallocProbe", "malloc_probe.c")
    built = subprocess.run(
        [compiler or "cc", "-shared", "-fPIC", "-O2", "-std=gnu17", "-o", probe, source],
        capture_output=True, text=True,
    ) if compiler else None  # fmt: skip
    if not built or built.returncode:
        raise Skipped("the malloc probe does not build: " + (built.stderr if built else "no cc"))
    result = {}
    # One thread, where the tool has threads: the order of its allocations is fixed then.
    words = subprocess.run([arguments.tool, "help", "fit"], capture_output=True, text=True).stdout
    jobs = ["--jobs", "1"] if "--jobs" in words else []
    with tempfile.TemporaryDirectory(prefix="widgetimg-gate.") as folder:
        figures = os.path.join(folder, "figures")
        variables = dict(os.environ, LD_PRELOAD=probe, WIDGETIMG_PROBE_OUT=figures)
        for case, (name, *options) in FITS.items():
            target = os.path.join(folder, "out" + (".jpg" if name.endswith(".jpg") else ".png"))
            picture = os.path.join(ROOT, "SampleImages", name)
            done = subprocess.run(
                [arguments.tool, "fit", picture, "-o", target, "--json", *options, *jobs],
                capture_output=True, text=True, env=variables,
            )  # fmt: skip
            if done.returncode:
                raise SystemExit(f"Error: {case}: {done.stderr.strip() or done.stdout.strip()}")
            with open(figures) as file:
                allocations = int(re.search(r"count=(\d+)", file.read()).group(1))
            peak = json.loads(done.stdout)["memory"]["ledgerPeak"]
            result[case] = {"ledgerPeak": peak, "allocations": allocations}
    return result


def instructions(arguments):
    """Of one resampling: two runs less one run, so that the start does not count."""
    if not shutil.which("valgrind"):
        raise Skipped("valgrind is not installed")
    # valgrind 3.19 gives up on the debugging information of Swift 6.3.
    stripped = os.path.join(arguments.build, "WidgetBenchmarks-stripped")
    os.makedirs(arguments.build, exist_ok=True)
    if not shutil.which("strip") or subprocess.run(
        ["strip", "-o", stripped, arguments.core]
    ).returncode:  # fmt: skip
        raise Skipped("strip (of binutils) is not here, or fails")
    tiers = json.loads(line_of(arguments.core, "tiers"))["tiers"]
    result = {}

    def collected(channels, size, tier, count):
        done = subprocess.run(
            [
                "valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", stripped,
                f"noise 504 376 {channels}", f"plan {size} lanczos3 {tier}", f"run {count}",
            ],
            capture_output=True, text=True,
        )  # fmt: skip
        found = re.search(r"Collected\s*:\s*(\d+)", done.stderr)
        if done.returncode or not found:
            raise Skipped(f"callgrind does not run the core: {done.stderr.strip()[-200:]}")
        return int(found.group(1))

    for channels, size, tier in [(*case, tier) for case in CORE for tier in tiers]:
        case = f"{channels} channels 504x376 -> {size.replace(' ', 'x')}, {tier}"
        once, twice = (collected(channels, size, tier, count) for count in (1, 2))
        result[case] = {"instructions": twice - once}
    return result


def ratios(arguments):
    done = subprocess.run(
        [
            sys.executable, os.path.join(HERE, "driver", "main.py"), "core", "formats", "--quick",
            "--json", "--floors-only", "--source", "sample", "--tool", arguments.tool,
            "--core", arguments.core, "--build", arguments.build,
        ],
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    result = {}
    for line in done.stdout.splitlines():
        row = json.loads(line)
        if row["unit"].startswith("cpu") and row["ratio"]:
            case = f"{row['suite']} {row['case']} : {row['peer']}"
            result[case] = {"ratio": round(row["ratio"], 3)}
    if done.returncode:
        raise SystemExit("Error: the quick benchmarks failed (above)")
    if not result:
        raise Skipped("nothing to compare with could be set up")
    return result


PARTS = {"counts": counts, "instructions": instructions, "ratios": ratios}


def compare(old, new):
    """Lines (case, figure, old, new, change, verdict)."""
    lines = []
    for case in dict.fromkeys([*old, *new]):
        for figure in dict.fromkeys([*old.get(case, {}), *new.get(case, {})]):
            before, after = old.get(case, {}).get(figure), new.get(case, {}).get(figure)
            if before is None or after is None:
                verdict = "new: run --update" if before is None else "not measured here"
                lines.append((case, figure, before, after, None, verdict))
                continue
            share, units = MARGINS[figure]
            verdict = ""
            if after > before * (1 + share) + units:
                verdict = "FAILED"
            elif after < before * (1 - share) - units:
                verdict = "better: run --update"
            change = (after - before) / before if before else 0.0
            lines.append((case, figure, before, after, change, verdict))
    return lines


def show(lines):
    def short(value):
        if value is None:
            return "-"
        return f"{value:.2f}" if isinstance(value, float) else f"{value:,}"

    cells = [("case", "figure", "old", "new", "change", "")]
    for case, figure, old, new, change, verdict in lines:
        percent = "" if change is None else f"{change * 100:+.1f} %"
        cells.append((case, figure, short(old), short(new), percent, verdict))
    widths = [max(len(row[i]) for row in cells) for i in range(6)]
    for row in cells:
        print(
            "  ".join(
                cell.rjust(width) if i in (2, 3, 4) else cell.ljust(width)
                for i, (cell, width) in enumerate(zip(row, widths))
            ).rstrip()
        )


def judge(part, arguments):
    """Measures one part; gives the number of figures that failed."""
    path = os.path.join(HERE, "thresholds", part + ".json")
    here = environment(part)
    recorded = {}
    if os.path.exists(path):
        with open(path) as file:
            recorded = json.load(file)
    elsewhere = {
        key: (recorded.get("environment", {}).get(key), value)
        for key, value in here.items()
        if recorded and recorded.get("environment", {}).get(key) != value
    }
    say(f"gate: measuring {part} ...")
    try:
        new = PARTS[part](arguments)
        if part == "ratios" and not elsewhere and any(
            line[-1] == "FAILED" for line in compare(recorded.get("cases", {}), new)
        ):  # fmt: skip
            # Time is not as stable as counts: the better of two.
            say("gate: measuring the ratios once more ...")
            again = PARTS[part](arguments)
            new = {
                case: {"ratio": min(new.get(case, value)["ratio"], value["ratio"])}
                for case, value in again.items()
            }
    except Skipped as reason:
        print(f"\n{part}: skipped: {reason}")
        return 0
    if arguments.update:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            json.dump({"environment": here, "cases": new}, file, indent=2)
            file.write("\n")
        print(f"\n{part}: wrote {os.path.relpath(path, ROOT)}")
        return 0
    margins = ", ".join(
        f"{name} {MARGINS[name][0] * 100:.0f} %" + (f" + {MARGINS[name][1]}" if MARGINS[name][1] else "")
        for name in dict.fromkeys(key for figures in new.values() for key in figures)
    )
    print(f"\n{part} (margin: {margins})")
    lines = compare(recorded.get("cases", {}), new)
    show(lines)
    for key, (old, value) in elsewhere.items():
        print(f"note: recorded with {key} {old!r}, here {value!r}: told, not judged")
    failed = sum(line[-1] == "FAILED" for line in lines)
    if failed and not elsewhere:
        print(f"{part}: {failed} of {len(lines)} figures are worse than the margin allows.")
        print("If that is meant, Benchmarks/gate --update records the new ones.")
        return failed
    return 0


def main():
    parser = argparse.ArgumentParser(prog="Benchmarks/gate")
    parser.add_argument("parts", nargs="*", metavar="part", help=", ".join(PARTS))
    parser.add_argument("--update", action="store_true", help="record the new figures")
    for name in ("--tool", "--core", "--build"):
        parser.add_argument(name, required=True, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    for part in arguments.parts:
        if part not in PARTS:
            parser.error(f"'{part}' is no part; there are {', '.join(PARTS)}")
    failed = sum([judge(part, arguments) for part in PARTS if part in (arguments.parts or PARTS)])
    print(f"\ngate: {'FAILED' if failed else 'passed'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
