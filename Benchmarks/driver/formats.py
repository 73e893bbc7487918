"""Suites `formats` and `memory`: whole processes over eight codings and photographs."""

import os
import statistics

import inputs
import process
from report import Row, say, spread

SIZES = (54, 1024)


def extension(coding):
    """The same output format for all: JPEG of JPEG, else PNG."""
    return ".jpg" if "jpeg" in coding else ".png"


def floor_of(coding):
    return next(name for name in process.FLOORS if name in coding)


def commands(setting, coding, size, source):
    """Everybody's command on one case, by name; ours first."""
    target = os.path.join(setting.scratch_folder, "out" + extension(coding))
    result = {"ours": process.ours(setting.tool, source, size, target)}
    if "jpeg" in coding:
        result["ours --fast"] = process.ours(setting.tool, source, size, target, "--fast")
    floor = floor_of(coding)
    if floor not in setting.floor_problems:
        result[f"bare {process.FLOORS[floor]}"] = [
            os.path.join(setting.launcher.folder, floor),
            source,
        ]
    for name in wanted_peers(setting):
        if name not in setting.missing_peers:
            result[name] = process.PEERS[name](source, size, target)
    return result


def wanted_peers(setting):
    if setting.floors_only:
        return ()
    if setting.quick:
        return ("vipsthumbnail", "GraphicsMagick")
    return tuple(process.PEERS)


def interleaved(setting, words, rounds, sample=False):
    """Runs everybody in turn, `rounds` times; another one begins each round.

    Gives lists of runs by name, and the messages of those that failed.
    """
    runs = {name: [] for name in words}
    problems = {}
    # Once to warm the page cache, and to see who can.
    for name, command in words.items():
        try:
            setting.launcher.run(command)
        except process.Failed as failed:
            problems[name] = failed
            del runs[name]
    for turn in range(rounds):
        names = list(runs)
        shift = turn % max(1, len(names))
        for name in names[shift:] + names[:shift]:
            try:
                runs[name].append(setting.launcher.run(words[name], sample))
            except process.Failed as failed:
                problems[name] = failed
                del runs[name]
    return runs, problems


def cases(setting):
    codings = list(inputs.CODINGS)
    if setting.quick:
        codings = ["jpeg", "png rgb", "webp lossy"]
    elif setting.inputs.source == "debian":
        codings += list(inputs.PHOTOGRAPHS)
    for coding in codings:
        for size in (54,) if setting.quick else SIZES:
            yield coding, size


def note_of(setting, name, problem):
    if name.startswith("ours"):
        # "Error: PATH: what is wrong"
        message = str(problem).split(": ", 2)[-1]
        return f"we refuse, status {problem.status}: {message}"
    return f"skipped: {problem}"


def run(setting):
    rows = []
    for coding, size in cases(setting):
        case = f"{coding} -> {size} px {extension(coding)[1:]}"
        try:
            source = setting.inputs.coded(coding)
        except inputs.Missing as missing:
            rows.append(Row("formats", case, None, "-", None, "s", note=f"skipped: {missing}"))
            continue
        words = commands(setting, coding, size, source)
        runs, problems = interleaved(setting, words, setting.rounds)
        rows += compare(setting, "formats", case, words, runs, problems)
        mine = runs.get("ours")
        say(f"formats: {case}: " + (f"{median(mine):.3f} s" if mine else str(problems["ours"])))
    return rows


def median(runs):
    return statistics.median(run.seconds for run in runs)


def compare(setting, suite, case, words, runs, problems):
    rows = []
    for mine in ("ours", "ours --fast"):
        if mine not in words:
            continue
        label = case + (" --fast" if mine.endswith("--fast") else "")
        for name in wanted_peers(setting):
            if name in setting.missing_peers:
                note = f"skipped: {setting.missing_peers[name]}"
                rows.append(Row(suite, label, None, name, None, "s", note=note))
        for name in words:
            if name.startswith("ours"):
                continue
            row = pair(suite, label, runs.get(mine), name, runs.get(name))
            for who in (mine, name):
                if who in problems:
                    row.note = note_of(setting, who, problems[who])
            rows.append(row)
            if runs.get(mine) and runs.get(name):
                rows.append(
                    pair(suite, label, runs[mine], name, runs[name], "cpu_seconds", "cpu s")
                )
            start = setting.startup_seconds
            if name.startswith("bare") and runs.get(name) and runs.get(mine) and start:
                rows.append(
                    Row(
                        suite, label, median(runs[mine]), f"{name} + our start",
                        median(runs[name]) + start, "s", spread([r.seconds for r in runs[mine]]),
                    )  # fmt: skip
                )
    return rows


def pair(suite, case, mine, name, theirs, clock="seconds", unit="s"):
    """One comparison: medians, and the median and spread of the pairs' ratios."""

    def middle(runs):
        return statistics.median(getattr(run, clock) for run in runs) if runs else None

    row = Row(suite, case, middle(mine), name, middle(theirs), unit)
    if mine and theirs:
        ratios = [getattr(a, clock) / max(getattr(b, clock), 1e-6) for a, b in zip(mine, theirs)]
        row.ratio, row.spread = statistics.median(ratios), spread(ratios)
    return row


def run_memory(setting):
    """Peaks: resident as the kernel counts it, anonymous as sampled."""
    rows = []
    for coding, size in cases(setting):
        case = f"{coding} -> {size} px {extension(coding)[1:]}"
        try:
            source = setting.inputs.coded(coding)
        except inputs.Missing as missing:
            rows.append(Row("memory", case, None, "-", None, "MB", note=f"skipped: {missing}"))
            continue
        words = commands(setting, coding, size, source)
        runs, problems = interleaved(setting, words, 2 if setting.quick else 3, sample=True)
        for kind in ("resident", "anonymous"):

            def peak(name):
                got = runs.get(name)
                return max(getattr(run, kind) for run in got) / 1e6 if got else None

            for name in words:
                if name.startswith("ours"):
                    continue
                row = Row("memory", f"{case}, {kind}", peak("ours"), name, peak(name), "MB")
                for who in ("ours", name):
                    if who in problems:
                        row.note = note_of(setting, who, problems[who])
                rows.append(row)
        say(f"memory: {case}")
    return rows
