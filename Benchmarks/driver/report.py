"""Rows of results: how they are printed, and where they are kept."""

import dataclasses
import json
import os
import platform
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def say(text):
    """Tells what is being done; results alone go to standard output."""
    print(text, file=sys.stderr, flush=True)


@dataclasses.dataclass
class Row:
    """One comparison. `ratio` is ours / theirs: below 1 we need less."""

    suite: str
    case: str
    ours: float | None
    peer: str
    theirs: float | None
    unit: str
    spread: float | None = None  # of the ratio (pairs) or of our runs, as a share
    ratio: float | None = None
    note: str = ""

    def __post_init__(self):
        if self.ratio is None and self.ours is not None and self.theirs:
            self.ratio = self.ours / self.theirs

    def as_json(self):
        def short(value):
            return None if value is None else float(f"{value:.6g}")

        fields = {
            "suite": self.suite,
            "case": self.case,
            "ours": short(self.ours),
            "peer": self.peer,
            "theirs": short(self.theirs),
            "ratio": short(self.ratio),
            "unit": self.unit,
            "spread": short(self.spread),
        }
        if self.note:
            fields["note"] = self.note
        return json.dumps(fields)


def spread(values):
    """Half of the distance between the quartiles, as a share of the median."""
    if len(values) < 4:
        return (max(values) - min(values)) / 2 / statistics.median(values)
    low, _, high = statistics.quantiles(values, n=4)
    return (high - low) / 2 / statistics.median(values)


def number(value, unit=""):
    if value is None:
        return "-"
    if unit == "of 255":
        return f"{value:.1f}"
    return f"{value:.3g}" if abs(value) < 100 else f"{value:.0f}"


HEADS = ("case", "ours", "peer", "theirs", "unit", "ratio", "spread", "")


def cells(row):
    return (
        row.case,
        number(row.ours, row.unit),
        row.peer,
        number(row.theirs, row.unit),
        row.unit,
        "-" if row.ratio is None else f"{row.ratio:.2f}",
        "" if row.spread is None else f"±{row.spread * 100:.0f} %",
        row.note,
    )


def table(rows):
    """The rows of one suite, aligned for a terminal."""
    lines = [HEADS, *map(cells, rows)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(HEADS))]
    right = {1, 3, 5, 6}
    out = []
    for line in lines:
        padded = (
            cell.rjust(width) if i in right else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(line, widths))
        )
        out.append("  ".join(padded).rstrip())
    return "\n".join(out)


def markdown(rows):
    lines = ["| " + " | ".join(HEADS) + " |", "|" + "|".join("---" for _ in HEADS) + "|"]
    for row in rows:
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells(row)) + " |")
    return "\n".join(lines)


def processor():
    try:
        with open("/proc/cpuinfo") as info:
            for line in info:
                if line.startswith("model name"):
                    return line.split(":", 1)[1].strip()
    except OSError:
        pass
    if sys.platform == "darwin":
        found = subprocess.run(
            ["sysctl", "-n", "machdep.cpu.brand_string"], capture_output=True, text=True
        )
        if found.returncode == 0:
            return found.stdout.strip()
    return platform.processor() or platform.machine()


def write_results(rows, versions, command, path):
    """Writes RESULTS.md: the machine, the versions, a table a suite."""
    load = os.getloadavg()[0]
    lines = [
        "# Results",
        "",
        f"Made by `{command}` on {time.strftime('%Y-%m-%d', time.gmtime())}; what the suites and",
        "columns mean stands in [README.md](README.md). `ratio` is ours / theirs: below 1 we need",
        "less. `spread` is half the distance between the quartiles of the pairs' ratios.",
        "",
        f"Machine: {processor()}, {os.cpu_count()} processors, {platform.system()} "
        f"{platform.machine()}; load average {load:.1f} at the end of the run.",
        "",
        "| what | version |",
        "|---|---|",
        *(f"| {name} | {version} |" for name, version in versions),
    ]
    for suite in dict.fromkeys(row.suite for row in rows):
        mine = [row for row in rows if row.suite == suite]
        lines += ["", f"## {suite}", ""]
        for plot in sorted(plots_of(suite)):
            lines.append(f"![{plot[:-4]}](plots/{plot})")
        lines += ["", markdown(mine)]
    with open(path, "w") as file:
        file.write("\n".join(lines) + "\n")
    say(f"Wrote {path}")


def plots_of(suite):
    folder = os.path.join(HERE, "plots")
    return [name for name in os.listdir(folder) if name.startswith(suite)] if os.path.isdir(folder) else []
