"""What `Benchmarks/run` calls once everything is set up."""

import argparse
import importlib.metadata
import os
import shlex
import subprocess
import sys
import tempfile

import process
import report
from report import Row, say

SUITES = ("core", "formats", "memory", "startup", "scaling")


class Setting:
    """What every suite needs."""

    def __init__(self, arguments, scratch):
        self.quick = arguments.quick
        self.floors_only = arguments.floors_only
        self.rounds = arguments.rounds or (5 if arguments.quick else 9)
        self.tool = arguments.tool
        self.core_binary = arguments.core
        self.scratch_folder = scratch
        self.scratch = os.path.join(scratch, "pixels.raw")
        self.launcher = process.Launcher(os.path.join(arguments.build, "floors"))
        self.best_tier = None
        self.pixels = {}
        self.failures = []
        self.missing_peers = {}
        self.floor_problems = {}
        self.startup_seconds = None
        self.inputs = None


def run_suite(suite, setting):
    if suite == "core":
        try:
            import core
        except ImportError as problem:
            return [Row("core", "-", None, "-", None, "ms", note=f"skipped: {problem}")]
        return core.run(setting)
    import formats
    import startup

    if suite == "formats":
        setting.startup_seconds = startup.start_seconds(setting)
        return formats.run(setting)
    if suite == "memory":
        return formats.run_memory(setting)
    return startup.run(setting) if suite == "startup" else startup.run_scaling(setting)


def versions(setting):
    """Name and version of everything that was measured."""
    tool = process.first_line([setting.tool, "--version"])
    head = subprocess.run(
        ["git", "-C", report.HERE, "-c", "safe.directory=*", "rev-parse", "--short", "HEAD"],
        capture_output=True, text=True,
    )  # fmt: skip
    rows = [("widgetimg", f"{tool} {head.stdout.strip()}, {setting.best_tier or 'best'} kernels")]
    swift = process.first_line(["swift", "--version"])
    rows.append(("Swift", swift or "unknown"))
    for library in process.FLOORS.values():
        found = subprocess.run(
            ["pkg-config", "--modversion", library], capture_output=True, text=True
        )
        rows.append((library, found.stdout.strip() or "unknown"))
    for name in ("cykooz.resizer", "opencv-python-headless", "pillow", "pyvips-binary", "numpy"):
        try:
            rows.append((name, importlib.metadata.version(name)))
        except importlib.metadata.PackageNotFoundError:
            rows.append((name, "not installed"))
    for name, words in (
        ("vipsthumbnail", ["vipsthumbnail", "--vips-version"]),
        ("GraphicsMagick", ["gm", "version"]),
        ("ImageMagick", [process.imagemagick_program() or "magick", "--version"]),
    ):
        rows.append((name, process.first_line(words)[:60] or "not installed"))
    return rows


def parsed():
    parser = argparse.ArgumentParser(prog="Benchmarks/run")
    parser.add_argument("suites", nargs="*", metavar="suite", help=", ".join(SUITES))
    parser.add_argument("--json", action="store_true", help="one JSON object a row")
    parser.add_argument("--quick", action="store_true", help="fewer cases, peers and rounds")
    parser.add_argument("--write", action="store_true", help="write RESULTS.md and plots/")
    parser.add_argument("--rounds", type=int, help="rounds of each process (9; 5 with --quick)")
    parser.add_argument(
        "--source", choices=("debian", "sample"), default="debian",
        help="the photograph: out of mate-backgrounds, or SampleImages/photo.jpg",
    )  # fmt: skip
    parser.add_argument("--floors-only", action="store_true", help=argparse.SUPPRESS)
    for name in ("--tool", "--core", "--build"):
        parser.add_argument(name, required=True, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    for suite in arguments.suites:
        if suite not in SUITES:
            parser.error(f"'{suite}' is no suite; there are {', '.join(SUITES)}")
    return arguments


def main():
    arguments = parsed()
    suites = [suite for suite in SUITES if suite in (arguments.suites or SUITES)]
    import inputs

    with tempfile.TemporaryDirectory(prefix="widgetimg-bench.") as scratch:
        setting = Setting(arguments, scratch)
        try:
            setting.inputs = inputs.Inputs(arguments.source)
            setting.inputs.photograph()
        except (inputs.Missing, ImportError) as problem:
            say(f"Error: no photograph to measure: {problem}. Try --source sample, and see that "
                "Pillow and NumPy can be installed.")  # fmt: skip
            return 1
        if set(suites) - {"core"}:
            setting.floor_problems = setting.launcher.compile_all()
            setting.missing_peers = process.unavailable()
        rows = []
        for suite in suites:
            found = run_suite(suite, setting)
            rows += found
            if arguments.json:
                for row in found:
                    print(row.as_json(), flush=True)
            else:
                print(f"\n{suite}\n{report.table(found)}", flush=True)
        if arguments.write:
            import plots

            plots.write(rows)
            words = [f for f in sys.argv[1:] if f.startswith("--") and f in ("--quick", "--write")]
            if arguments.source != "debian":
                words += ["--source", arguments.source]
            command = shlex.join(["Benchmarks/run", *arguments.suites, *words])
            report.write_results(
                rows, versions(setting), command, os.path.join(report.HERE, "RESULTS.md")
            )
        for failure in setting.failures:
            say(f"Error: {failure}")
        return 1 if setting.failures else 0


if __name__ == "__main__":
    sys.exit(main())
