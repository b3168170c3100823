"""Tests the gate with whole gates of this commit. See scripts/lab and Documentation/how-the-gate-decides.md."""
import argparse
import contextlib
import csv
import datetime
import itertools
import json
import math
import multiprocessing
import os
import pathlib
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

# Python must not write bytecode into the folder of the sources.
sys.dont_write_bytecode = True
from binomial import interval, percent

os.chdir(pathlib.Path(__file__).resolve().parents[2])
LAB = pathlib.Path(".build/lab").resolve()
PLANTED = sorted(pathlib.Path("Tests/Lab/Planted").glob("*.patch"))
KEPT, PAGE = pathlib.Path("Reports/gate-selftest.jsonl"), pathlib.Path("Reports/gate-selftest.md")
TIMES = ("wall", "wall_mean", "cpu")
BACKENDS, MENU, SLOWDOWN = ["json", "memory", "plist", "sqlite"], "large", 0.05
TARGETS = [("json", "decode", "atomic"), ("sqlite", "read", "atomic"), ("sqlite", "write", "durable")]
# Lower numbers set the allowance for the order of the code, so other numbers must test it.
ORDERS = [11, 12, 13, 14]
RULES = int(re.search(r"static let rules = (\d+)", pathlib.Path(
    "Sources/BenchAnalysis/Gate/SequentialTest.swift").read_text())[1])
LOADS = {"quiet": "none", "busy": "busy neighbour processes"}


def burst(seed, parent):
    """Loads one processor, the memory and the drive, with pauses, until the parent process ends."""
    draw, memory = random.Random(seed), bytes(64 << 20)
    with tempfile.TemporaryFile() as drive:
        while os.getppid() == parent:
            kind, end = draw.randrange(3), time.monotonic() + draw.uniform(0.05, 1.05)
            while time.monotonic() < end:
                if kind == 0:
                    sum(range(100_000))
                elif kind == 1:
                    bytearray(memory)
                else:
                    os.pwrite(drive.fileno(), memory[:1 << 20], 0)
                    os.fsync(drive.fileno())
            time.sleep(draw.uniform(0.02, 0.52))


@contextlib.contextmanager
def neighbour():
    """Runs one job for each processor until the block ends."""
    fork = multiprocessing.get_context("fork")
    jobs = [fork.Process(target=burst, args=(number, os.getpid())) for number in range(os.cpu_count())]
    for job in jobs:
        job.start()
    try:
        yield
        if not all(job.is_alive() for job in jobs):
            sys.exit("error: a busy neighbour process ended by itself\nhelp: see its output above")
    finally:
        for job in jobs:
            job.terminate()


@contextlib.contextmanager
def commit():
    """Checks out this commit in its own folder, where it can be patched and built."""
    tree = LAB / "tree"
    subprocess.run(["git", "worktree", "remove", "--force", tree], stderr=subprocess.DEVNULL)
    subprocess.run(["git", "worktree", "add", "--force", "--quiet", "--detach", tree, "HEAD"], check=True)
    try:
        yield tree
    finally:
        subprocess.run(["git", "worktree", "remove", "--force", tree])


def build(tree, name, patch=None, order=None):
    """Builds a program of the commit, with a patch or with its functions and constants in another order.

    The address of a function decides which functions it shares caches with. So the same source can have other times:
    Mytkowicz, Diwan, Hauswirth & Sweeney, "Producing Wrong Data Without Doing Anything Obviously Wrong!" (2009).
    """
    print("building", name, file=sys.stderr)
    flags = [] if order is None else ["-Xswiftc", "-use-ld=lld"] + [
        flag for part in (".text*", ".rodata*") for flag in ("-Xlinker", f"--shuffle-sections={part}={order}")]
    # Other flags recompile everything, so each set of flags has its own folder.
    scratch = LAB / ("plain" if order is None else "ordered")
    subprocess.run(["git", "checkout", "--quiet", "."], cwd=tree, check=True)
    if patch:
        subprocess.run(["git", "apply", patch.resolve()], cwd=tree, check=True)
    subprocess.run(["swift", "build", "-c", "release", "--product", "bench", "--scratch-path", scratch, *flags],
                   cwd=tree, check=True, stdout=sys.stderr)
    shutil.copy(scratch / "release/bench", LAB / name)


def gate(candidate, baseline, *arguments):
    """Runs a gate. Returns its exit status, its messages, and the rows that it judged, if it measured any."""
    out = LAB / "gate"
    shutil.rmtree(out, ignore_errors=True)
    done = subprocess.run([LAB / candidate, "gate", "--against", LAB / baseline, "--menu", MENU, "--no-explain",
                           "--out", out, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if not (out / "gate.json").exists():
        return done.returncode, done.stderr, []
    return done.returncode, done.stderr, [
        row for row in csv.DictReader((out / "report.csv").open()) if row["verdict"]]


def kind(trial):
    return trial["condition"], "planted" in trial


def next_trial(trials):
    """The kind with the fewest gates for its share: five gates without a change for two with a slowdown."""
    condition, is_planted = min(
        itertools.product(LOADS, (False, True)),
        key=lambda one: (sum(kind(trial) == one for trial in trials) / (2 if one[1] else 5), one[1], one[0] == "busy"))
    alike = [trial for trial in trials if kind(trial) == (condition, is_planted)]
    pairs = [[one, other] for one in ORDERS for other in ORDERS if one != other]
    trial = {"condition": condition, "layouts": pairs[len(alike) * 11 % len(pairs)], "menu": MENU,
             "backends": BACKENDS, "rules": RULES}
    if is_planted:
        planted = [dict(zip(("backend", "phase", "durability", "share"), (*target, SLOWDOWN))) for target in TARGETS]
        trial["planted"] = min(planted, key=lambda one: sum(trial["planted"] == one for trial in alike))
    return trial


def hold(trial):
    """Runs the gate and adds its results to the trial."""
    began, planted = time.time(), trial.get("planted")
    arguments = ["--backend", ",".join(BACKENDS)]
    if planted:
        arguments += ["--durability", planted["durability"], "--inject",
                      f"{planted['backend']}/{planted['phase']}:slowdown={planted['share'] * 100}%"]
    with neighbour() if trial["condition"] == "busy" else contextlib.nullcontext():
        status, said, rows = gate(*(f"order{order}" for order in reversed(trial["layouts"])), *arguments)
    if not rows:
        sys.exit(f"error: the gate ended with status {status} and without a report\nhelp: its messages: {said[-2000:]}")
    trial["started"] = datetime.datetime.fromtimestamp(began, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    trial["seconds"] = time.time() - began
    trial["revision"] = subprocess.check_output(["git", "rev-parse", "HEAD"], text=True).strip()
    trial["outcome"] = json.loads((LAB / "gate/gate.json").read_text())["outcome"]
    machine = json.loads((LAB / "gate/run.json").read_text())["machine"]
    words = "{cpu}, {cores} cores, {system}, kernel {kernel}, Swift {swift}, {allocator}, {build} build"
    trial["machine"] = words.format_map(machine)
    names = dict(ratio="ratio", low="ratio_low", high="ratio_high", baseline="baseline_p50")
    trial["rows"] = [
        {name: row[name] for name in ("backend", "phase", "metric", "verdict")}
        | {name: float(row[column]) for name, column in names.items() if row[column]}
        for row in rows if row["metric"] in TIMES or row["verdict"] != "unchanged"]


def selftest(hours, gates):
    trials = [json.loads(line) for line in KEPT.read_text().splitlines()]
    if gates:
        with commit() as tree:
            for order in ORDERS:
                build(tree, f"order{order}", order=order)
    PAGE.write_text(page(trials))
    end = time.monotonic() + hours * 3600
    for number in range(gates):
        if time.monotonic() > end:
            break
        trial = next_trial([trial for trial in trials if trial["rules"] == RULES and trial["backends"] == BACKENDS])
        hold(trial)
        trials.append(trial)
        with KEPT.open("a") as file:
            file.write(json.dumps(trial, sort_keys=True, separators=(",", ":")) + "\n")
        red = [row["backend"] + "/" + row["phase"] for row in trial["rows"] if row["verdict"] == "regressed"]
        print(f"gate {number + 1}:", *kind(trial), trial["outcome"], *red, file=sys.stderr)
        PAGE.write_text(page(trials))


def is_planted(trial, row):
    planted = trial.get("planted", {})
    return (row["backend"], row["phase"]) == (planted.get("backend"), planted.get("phase"))


def is_wrong(trial):
    """Whether the gate is red without a slowdown, or because of a row that was not slowed down."""
    others = [row for row in trial["rows"] if row["verdict"] == "regressed" and not is_planted(trial, row)]
    return bool(others) if "planted" in trial else trial["outcome"] != "passed"


def found(trial):
    """The verdict on the median time of the phase that was slowed down."""
    rows = [row for row in trial["rows"] if is_planted(trial, row) and row["metric"] == "wall"]
    return rows[0]["verdict"] if rows else "not judged"


def rate(count, of):
    """Three cells of a table: a count, the total and the share."""
    return f"{count} | {of} | {percent(count / max(of, 1))}"


def duration(nanoseconds):
    unit, size = next((unit, size) for unit, size in (("s", 1e9), ("ms", 1e6), ("µs", 1e3), ("ns", 1))
                      if nanoseconds >= size or size == 1)
    value = nanoseconds / size
    return f"{value:.{max(0, 2 - int(math.log10(max(value, 1))))}f} {unit}"


def table(titles, rows):
    """A table in Markdown. Columns of numbers have a title that ends in a colon."""
    heads = [title.removesuffix(":") for title in titles]
    lines = ["---:" if title.endswith(":") else "---" for title in titles]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in [heads, lines, *rows])


def alarms(trials):
    rows, medians = [], []
    for condition, load in LOADS.items():
        alike = [trial for trial in trials if kind(trial) == (condition, False)]
        judged = [row for trial in alike for row in trial["rows"]
                  if row["metric"] in TIMES and row["verdict"] != "none"]
        red = sum(map(is_wrong, alike))
        rows.append([load, "gates", rate(red, len(alike)), interval(red, len(alike))])
        rows.append([load, "verdicts on times",
                     rate(sum(row["verdict"] == "regressed" for row in judged), len(judged)), ""])
        middle = [row["verdict"] for row in judged if row["metric"] == "wall"]
        undecided = middle.count("inconclusive")
        company = "without other load" if condition == "quiet" else f"with {load}"
        medians.append(f"{percent(undecided / max(len(middle), 1))} {company} ({undecided} of {len(middle)})")
    quiet = [trial for trial in trials if "planted" not in trial]
    better = sum(row["verdict"] == "improved" for trial in quiet for row in trial["rows"] if row["metric"] in TIMES)
    took = statistics.median(trial["seconds"] for trial in quiet or trials)
    return f"""{table(["other load", "counted", "red:", "of:", "rate:", "interval:"], rows)}

A gate is red if its exit status is not 0: a count or a time regressed, or a cell could not be measured.
Times called `improved`: {better}. The verdict on a median (`wall`) was `inconclusive` in
{" and ".join(medians)}.
The median gate took {took:.0f} s."""


def power(trials):
    groups = {}
    for trial in trials:
        if planted := trial.get("planted"):
            by, place = f"by {percent(planted['share'])}", (planted["backend"], planted["phase"])
            for name in ((0, f"{'/'.join(place)}, {planted['durability']}, {by}"), (1, f"all {by}")):
                groups.setdefault((*name, trial["condition"] == "busy"), []).append(trial)
    rows = []
    for (_, name, is_busy), alike in sorted(groups.items()):
        verdicts = [found(trial) for trial in alike]
        red = verdicts.count("regressed")
        rows.append([name, LOADS["busy" if is_busy else "quiet"], rate(red, len(alike)), interval(red, len(alike)),
                     *(str(verdicts.count(verdict)) for verdict in ("inconclusive", "unchanged")),
                     str(sum(map(is_wrong, alike)))])
    return table(["slowed down", "other load", "found:", "of:", "rate:", "interval:", "inconclusive:", "unchanged:",
                  "others red:"], rows)


def orders(trials):
    groups = {}
    for trial in trials:
        for row in trial["rows"] if kind(trial) == ("quiet", False) else []:
            if row["metric"] == "wall" and "ratio" in row:
                groups.setdefault((row["backend"], row["phase"]), []).append(row)
    rows = []
    for (backend, phase), alike in groups.items():
        moved = [math.exp(abs(math.log(row["ratio"]))) - 1 for row in alike]
        rows.append([backend, phase, duration(statistics.median(row["baseline"] for row in alike)), str(len(alike)),
                     percent(statistics.median(moved)), percent(max(moved))])
    return table(["backend", "phase", "time:", "gates:", "median:", "largest:"], rows)


def page(trials):
    """The page, which counts the gates that are comparable with the newest."""
    newest = trials[-1]
    alike = [trial for trial in trials
             if all(trial[key] == newest[key] for key in ("rules", "menu", "backends")) and "layouts" in trial]
    machines = list(dict.fromkeys(trial["machine"] for trial in alike))
    revisions = dict.fromkeys(trial["revision"][:8] for trial in alike)
    return f"""# How often is the gate wrong?

Each of these gates compared one source with itself. `gate-selftest.jsonl` has a line for each, and
`./scripts/lab selftest` adds gates. [Replays](gate-replays.md) of recorded pairs are on another page.

- Gates: {len(alike)}, from {alike[0]["started"]} to {newest["started"]}, at {", ".join(revisions)}.
- Rules of the gate: number {newest["rules"]}.
- Measured: {", ".join(newest["backends"])} on {newest["menu"]}, both tiers.
- Machine: {"; ".join(machines)}.
- Intervals: 95 %, exact (Clopper and Pearson). They hold for builds in {len(ORDERS)} orders of the code.
  Other builds may differ.
- Not counted: {len(trials) - len(alike)} gates in the file, judged by other rules.

## Nothing changed: false positives

{alarms(alike)}

## One phase slower: how often the gate finds it

In the candidate, one phase takes longer by a share of its own time. If the gate cannot tell, it says `inconclusive`.
If it says `unchanged`, it missed the slowdown. The last column counts gates in which another row regressed.

{power(alike)}

## How far the order of the code moves times

The two programs of a gate have the same source, but the linker put their functions in different orders. So the
functions lie in other cache lines and pages. The table shows how far that moved each time, noise included. It covers
the gates without a change and without other load.

{orders(alike)}
"""


def quietness(said):
    """Whether the gate predicted to show 5 % in half of its times at the end. Empty for gates of counts alone."""
    foreseen = re.search(r"half of the times show changes of (.*?)\. By then, three in four", said)
    shown = re.findall(r"([0-9.]+) % after", foreseen[1]) if foreseen else []
    return "" if not shown else ", quiet" if float(shown[-1]) <= 5 else ", not quiet"


def planted(names, gates, beside):
    patches = [patch for patch in PLANTED if not names or patch.stem in names]
    if not patches:
        sys.exit(f"error: no patch is called {names[0]}\nhelp: {', '.join(patch.stem for patch in PLANTED)}")
    titles = ["red:", "inconclusive:", "unchanged:", "other:"]
    with commit() as tree:
        for patch in [None, *patches]:
            build(tree, patch.stem if patch else "unchanged", patch)
    print(table(["planted", "other load", *titles, "more rows red:"], []))
    for patch, condition in itertools.product(patches, beside):
        name, arguments, wanted = (line.partition(": ")[2] for line in patch.read_text().splitlines()[:3])
        counts = {}
        for number in range(gates):
            with neighbour() if condition == "busy" else contextlib.nullcontext():
                status, said, rows = gate(patch.stem, "unchanged", *arguments.split())
            verdicts = {"/".join((row["backend"], row["phase"], row["metric"])): row for row in rows}
            row = verdicts.pop(wanted, {"verdict": "other"})
            # Only a gate that ends as a regression is red. A gate with a failed cell counts as other.
            verdict = "red" if row["verdict"] == "regressed" and status == 2 else row["verdict"]
            more = [name for name, other in verdicts.items() if other["verdict"] == "regressed"]
            place = LOADS[condition] + ("" if condition == "busy" else quietness(said))
            count = counts.setdefault(place, dict.fromkeys([*titles, "more"], 0))
            count[verdict + ":" if verdict + ":" in titles else "other:"] += 1
            count["more"] += bool(more)
            print(f"{patch.stem}, other load {place}, gate {number + 1} of {gates}: {verdict}, {row.get('ratio')}",
                  f"({row.get('ratio_low')} to {row.get('ratio_high')}), status {status}, also red: {more}",
                  file=sys.stderr)
        for place, count in counts.items():
            print(f"| {name} | {place} | {' | '.join(map(str, count.values()))} |", flush=True)


def check():
    """Checks that every patch still applies, and that the page matches the stored gates."""
    for patch in PLANTED:
        keys = [line.partition(": ")[0] for line in patch.read_text().splitlines()[:3]]
        if keys != ["What", "Gate", "Red"] or subprocess.run(["git", "apply", "--check", patch]).returncode:
            sys.exit(f"error: {patch} does not apply\nhelp: adapt it to the source that it changes")
    if page([json.loads(line) for line in KEPT.read_text().splitlines()]) != PAGE.read_text():
        sys.exit(f"error: {PAGE} does not match the gates in {KEPT}\nhelp: ./scripts/lab selftest --gates 0")


parser = argparse.ArgumentParser("scripts/lab", description=__doc__)
commands = parser.add_subparsers(dest="command", required=True)
one = commands.add_parser("selftest", help="run gates of the commit against itself, unchanged and with a slower phase")
one.add_argument("--hours", type=float, default=1, help="start no further gate after this time")
one.add_argument("--gates", type=int, default=1000, help="run at most this many; 0 only rewrites the page")
two = commands.add_parser("planted", help="run gates of the commit against itself with a patch, and print a table")
two.add_argument("names", nargs="*", help="patches to try (default: all)")
two.add_argument("--gates", type=int, default=10, help="gates for each patch and load")
two.add_argument("--beside", nargs="*", choices=list(LOADS), default=list(LOADS),
                 help="load during the gates: quiet (none), busy, or both (default)")
commands.add_parser("check", help="check that the patches apply and that the page is current, without measuring")
typed = vars(parser.parse_args())
LAB.mkdir(parents=True, exist_ok=True)
globals()[typed.pop("command")](**typed)
