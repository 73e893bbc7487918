"""Bar plots as SVG, written by hand: one panel a case, one bar a program."""

import os
from xml.sax.saxutils import escape

from report import HERE, number, say

WIDTH, LABEL, BAR, GAP, HEAD = 760, 230, 18, 6, 34
OURS, THEIRS = "#0a7d4f", "#9aa5b1"
TITLES = {
    "core": "Resize core, one thread: processor milliseconds, less is better",
    "formats": "Whole process at 12 MP to 54 px: seconds, less is better",
    "memory": "Peak resident memory at 12 MP to 54 px: MB, less is better",
    "startup": "Start and a 64x64 logo: seconds, less is better",
    "scaling": "Whole process to 54 px: milliseconds a megapixel, flat is better",
}


def wanted(suite, row):
    """Whether a row is drawn: the plots show less than the tables."""
    if row.ours is None and row.theirs is None:
        return False
    case = row.case
    if suite == "core":
        return "kernels" not in case and "error" not in case
    if suite == "formats":
        return row.unit == "s" and "54 px" in case and "MP" not in case and "+ our start" not in row.peer
    if suite == "memory":
        return "54 px" in case and "MP" not in case and "resident" in case
    if suite == "startup":
        return "resident" not in case
    return row.unit == "ms/MP" and "in process" not in case and row.peer == "vipsthumbnail"


def panels(suite, rows):
    """Case to a list of (label, value, ours)."""
    result = {}
    for row in rows:
        if not wanted(suite, row):
            continue
        bars = result.setdefault(row.case, {})
        if row.ours is not None:
            bars["widgetimg"] = (row.ours, True)
        if row.theirs is not None:
            bars[row.peer] = (row.theirs, False)
    return {case: [(name, *bar) for name, bar in bars.items()] for case, bars in result.items()}


def draw(title, groups):
    out, y = [], 30
    for case, bars in groups.items():
        most = max(value for _, value, _ in bars) or 1
        out.append(f'<text x="12" y="{y + 18}" class="case">{escape(case)}</text>')
        y += HEAD - 8
        for label, value, ours in sorted(bars, key=lambda bar: bar[1]):
            length = max(1, (WIDTH - LABEL - 80) * value / most)
            middle = y + BAR - 5
            out.append(
                f'<text x="{LABEL - 8}" y="{middle}" text-anchor="end"'
                f'{" class=" + chr(34) + "ours" + chr(34) if ours else ""}>{escape(label)}</text>'
                f'<rect x="{LABEL}" y="{y}" width="{length:.1f}" height="{BAR}"'
                f' fill="{OURS if ours else THEIRS}"/>'
                f'<text x="{LABEL + length + 6:.1f}" y="{middle}">{number(value)}</text>'
            )
            y += BAR + GAP
        y += 8
    style = (
        "text{font:13px system-ui,sans-serif;fill:#1f2933}"
        ".title{font-size:15px;font-weight:600}.case{font-weight:600}.ours{font-weight:600}"
    )
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{y + 6}" role="img"'
        f' aria-label="{escape(title)}"><style>{style}</style>'
        f'<rect width="{WIDTH}" height="{y + 6}" fill="#ffffff"/>'
        f'<text x="12" y="22" class="title">{escape(title)}</text>'
    )
    return head + "\n" + "\n".join(out) + "\n</svg>\n"


def write(rows):
    folder = os.path.join(HERE, "plots")
    os.makedirs(folder, exist_ok=True)
    for suite, title in TITLES.items():
        groups = panels(suite, [row for row in rows if row.suite == suite])
        if groups:
            path = os.path.join(folder, suite + ".svg")
            with open(path, "w") as file:
                file.write(draw(title, groups))
            say(f"Wrote {path}")
