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
BACKENDS, MENU = "json,memory,plist,sqlite", "large"
# Lower numbers set the allowance for the order of the code, so other numbers must test it.
ORDERS = [11, 12, 13, 14]
SOURCE = pathlib.Path("Sources/BenchAnalysis/Gate")
RULES = int(re.search(r"static let rules = (\d+)", (SOURCE / "SequentialTest.swift").read_text())[1])
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


def changes():
    """Every kind of gate: what is changed, how the gate is called, the row that must be red, and the gates per load."""
    found = {"nothing": ([], None, 25)}
    for backend, phase, cost, durability in (("json", "decode", "load", "atomic"), ("sqlite", "read", "load", "atomic"),
                                             ("sqlite", "write", "save", "durable")):
        found[f"5 % added to {backend}'s {phase}, {durability}"] = (
            ["--durability", durability, "--tier", "time", "--inject", f"{backend}/{phase}:slowdown=5%"],
            f"{backend}/{cost}", 4)
    for patch in PLANTED:
        what, arguments, red = (line.partition(": ")[2] for line in patch.read_text().splitlines()[:3])
        found[what] = (arguments.split(), red, 5)
    return found


def programs(change, number):
    """The candidate and the baseline. Programs without a patch have the same source, linked in different orders."""
    for patch in PLANTED:
        if patch.read_text().startswith(f"What: {change}\n"):
            return patch.stem, "unchanged"
    pairs = [(one, other) for one in ORDERS for other in ORDERS if one != other]
    return tuple(f"order{order}" for order in pairs[number * 11 % len(pairs)])


def kind(trial):
    return trial["change"], trial["condition"]


def next_kind(trials, chosen):
    """The kind with the fewest gates for its share."""
    counts = {one: sum(kind(trial) == one for trial in trials) for one in itertools.product(chosen, LOADS)}
    return min(counts, key=lambda one: counts[one] / changes()[one[0]][2])


def hold(change, condition, number, revision):
    """Runs a gate and returns its results."""
    began, (arguments, _, _) = time.time(), changes()[change]
    candidate, baseline = programs(change, number)
    if "--backend" not in arguments:
        arguments = ["--backend", BACKENDS, *arguments]
    with neighbour() if condition == "busy" else contextlib.nullcontext():
        status, said, rows = gate(candidate, baseline, *arguments)
    if not rows:
        sys.exit(f"error: the gate ended with status {status} and without a report\nhelp: its messages: {said[-2000:]}")
    machine = json.loads((LAB / "gate/run.json").read_text())["machine"]
    words = "{cpu}, {cores} cores, {system}, kernel {kernel}, Swift {swift}, {allocator}, {build} build"
    names = dict(ratio="ratio", low="ratio_low", high="ratio_high", baseline="baseline_p50")
    return {
        "change": change, "condition": condition, "rules": RULES, "menu": MENU, "status": status,
        "programs": [candidate, baseline], "machine": words.format_map(machine), "seconds": time.time() - began,
        "started": datetime.datetime.fromtimestamp(began, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "revision": revision,
        "outcome": json.loads((LAB / "gate/gate.json").read_text())["outcome"],
        "rows": [{name: row[name] for name in ("backend", "phase", "metric", "verdict")}
                 | {name: float(row[column]) for name, column in names.items() if row[column]}
                 for row in rows if row["metric"] in TIMES or row["verdict"] != "unchanged"]}


def selftest(names, hours, gates):
    trials = [json.loads(line) for line in KEPT.read_text().splitlines()] if KEPT.exists() else []
    unknown = [name for name in names if name not in changes()]
    if unknown:
        sys.exit(f"error: no change is called {unknown[0]}\nhelp: {', '.join(changes())}")
    chosen = names or list(changes())
    revision = subprocess.check_output(["git", "rev-parse", "HEAD"], text=True).strip()
    if gates:
        needed = {program for change in chosen for number in range(12) for program in programs(change, number)}
        with commit() as tree:
            for name in sorted(needed):
                patch = next((patch for patch in PLANTED if patch.stem == name), None)
                build(tree, name, patch, int(name[5:]) if name.startswith("order") else None)
    end = time.monotonic() + hours * 3600
    for number in range(gates):
        if time.monotonic() > end:
            break
        alike = [trial for trial in trials if trial["rules"] == RULES]
        change, condition = next_kind(alike, chosen)
        trial = hold(change, condition, sum(kind(one) == (change, condition) for one in alike), revision)
        trials.append(trial)
        with KEPT.open("a") as file:
            file.write(json.dumps(trial, sort_keys=True, separators=(",", ":")) + "\n")
        red = ["/".join((row["backend"], row["phase"], row["metric"])) for row in trial["rows"]
               if row["verdict"] == "regressed"]
        print(f"gate {number + 1}: {change}, {LOADS[condition]}: {trial['outcome']}, {trial['seconds']:.0f} s", *red,
              file=sys.stderr)
    PAGE.write_text(page(trials))


def is_wanted(trial, row):
    wanted = changes()[trial["change"]][1]
    name = "/".join((row["backend"], row["phase"], row["metric"]))
    return wanted is not None and (name == wanted or row["metric"] in TIMES and name.startswith(wanted + "/"))


def is_wrong(trial):
    """Whether the gate is red without a change, or because of a row that was not changed."""
    others = [row for row in trial["rows"] if row["verdict"] == "regressed" and not is_wanted(trial, row)]
    return bool(others) if trial["change"] != "nothing" else trial["status"] != 0


def found(trial):
    """The verdict on the row that was changed, on whichever of its metrics decides."""
    verdicts = [row["verdict"] for row in trial["rows"] if is_wanted(trial, row)]
    order = ("regressed", "inconclusive", "unchanged", "improved")
    return min(verdicts, key=order.index) if verdicts and trial["status"] in (0, 2) else "not judged"


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
    rows, costs = [], []
    for condition, load in LOADS.items():
        alike = [trial for trial in trials if kind(trial) == ("nothing", condition)]
        judged = [row for trial in alike for row in trial["rows"] if row["metric"] in TIMES]
        red = sum(map(is_wrong, alike))
        rows.append([load, "gates", rate(red, len(alike)), interval(red, len(alike))])
        rows.append([load, "verdicts on costs",
                     rate(sum(row["verdict"] == "regressed" for row in judged), len(judged)), ""])
        undecided = sum(row["verdict"] == "inconclusive" for row in judged)
        company = "without other load" if condition == "quiet" else f"with {load}"
        costs.append(f"{percent(undecided / max(len(judged), 1))} {company} ({undecided} of {len(judged)})")
    unchanged = [trial for trial in trials if trial["change"] == "nothing"]
    better = sum(row["verdict"] == "improved" for trial in unchanged for row in trial["rows"] if row["metric"] in TIMES)
    took = statistics.median(trial["seconds"] for trial in unchanged or trials)
    return f"""{table(["other load", "counted", "red:", "of:", "rate:", "interval:"], rows)}

A gate is red if its exit status is not 0: a count or a time regressed, or a cell could not be measured.
Times called faster: {better}. The gate could not say whether a cost changed in {" and ".join(costs)}.
The median gate took {took:.0f} s, the longest {max(trial["seconds"] for trial in unchanged or trials):.0f} s.

{machines(unchanged)}"""


def machines(trials):
    """How long the gates took on each machine, and how often they could not decide."""
    groups = {}
    for trial in trials:
        groups.setdefault((trial["machine"], LOADS[trial["condition"]]), []).append(trial)
    rows = []
    for (machine, load), alike in sorted(groups.items()):
        verdicts = [row["verdict"] for trial in alike for row in trial["rows"] if row["metric"] in TIMES]
        seconds = [trial["seconds"] for trial in alike]
        rows.append([re.sub(r", (?!kernel).*?(?=, kernel)|, Swift.*", "", machine), load, str(len(alike)),
                     percent(verdicts.count("inconclusive") / max(len(verdicts), 1)),
                     f"{statistics.median(seconds):.0f} s", f"{max(seconds):.0f} s"])
    return table(["machine", "other load", "gates:", "cannot say:", "median:", "longest:"], rows)


def power(trials):
    rows = []
    for change, condition in itertools.product(changes(), LOADS):
        alike = [trial for trial in trials if kind(trial) == (change, condition)]
        if change == "nothing" or not alike:
            continue
        verdicts = [found(trial) for trial in alike]
        red = verdicts.count("regressed")
        rows.append([change, LOADS[condition], rate(red, len(alike)), interval(red, len(alike)),
                     *(str(verdicts.count(verdict)) for verdict in ("inconclusive", "unchanged", "not judged")),
                     str(sum(map(is_wrong, alike))), str(len({trial["machine"] for trial in alike}))])
    return table(["changed", "other load", "found:", "of:", "rate:", "interval:", "cannot say:", "same:", "other:",
                  "others red:", "machines:"], rows)


def orders(trials):
    groups = {}
    for trial in trials:
        for row in trial["rows"] if kind(trial) == ("nothing", "quiet") else []:
            if row["metric"] in TIMES and "ratio" in row:
                groups.setdefault((row["backend"], row["phase"], row["metric"]), []).append(row)
    rows = []
    for name, alike in sorted(groups.items()):
        moved = [math.exp(abs(math.log(row["ratio"]))) - 1 for row in alike]
        rows.append([*name, duration(statistics.median(row["baseline"] for row in alike)), str(len(alike)),
                     percent(statistics.median(moved)), percent(max(moved))])
    return table(["backend", "cost", "metric", "time:", "gates:", "median:", "largest:"], rows)


def page(trials):
    """The page, which counts the gates by today's rules."""
    alike = [trial for trial in trials if trial["rules"] == RULES]
    machines = list(dict.fromkeys(trial["machine"] for trial in alike))
    revisions = dict.fromkeys(trial["revision"][:8] for trial in alike)
    return f"""# How often is the gate wrong?

Each of these gates compared a commit with itself, or with itself after a planted change. `gate-selftest.jsonl` has a
line for each, and `./scripts/lab selftest` adds gates.

- Gates: {len(alike)}, from {alike[0]["started"]} to {alike[-1]["started"]}, at {", ".join(revisions)}.
- Rules of the gate: number {RULES}.
- Measured on {MENU}: {BACKENDS.replace(",", ", ")}, both tiers. Gates with 5 % added measure times alone. Gates with a
  patch measure what [the patch](../Tests/Lab/Planted) says.
- Machine: {"; ".join(machines)}.
- Intervals: 95 %, exact (Clopper and Pearson). They hold for builds in {len(ORDERS)} orders of the code. Other builds
  may differ.

## Nothing changed: false positives

{alarms(alike)}

## A planted change: how often the gate finds it

A gate found a change if the cost with the change was called slower. The rows that begin with 5 % have a phase that
`bench` itself slows down by 5 % of its time, so the cost around it is slowed down by less. The other rows have a patch.
`others red` counts gates in which another row was red. Kept memory raises the peak of the other phases too.

{power(alike)}

## How far the order of the code moves times

The two programs of a gate without a change have the same source, but the linker put their functions in different
orders. So the functions lie in other cache lines and pages. The table shows how far that moved each judged time, noise
included, without other load.

{orders(alike)}
"""


def check():
    """Checks that every patch applies, and that the page and the program's constant match the stored gates."""
    for patch in PLANTED:
        keys = [line.partition(": ")[0] for line in patch.read_text().splitlines()[:3]]
        if keys != ["What", "Gate", "Red"] or subprocess.run(["git", "apply", "--check", patch]).returncode:
            sys.exit(f"error: {patch} does not apply\nhelp: adapt it to the source that it changes")
    trials = [json.loads(line) for line in KEPT.read_text().splitlines()]
    if page(trials) != PAGE.read_text():
        sys.exit(f"error: {PAGE} does not match the gates in {KEPT}\nhelp: ./scripts/lab selftest --gates 0")
    unchanged = [trial for trial in trials if trial["rules"] == RULES and trial["change"] == "nothing"]
    constant = f"(red: {sum(map(is_wrong, unchanged))}, of: {len(unchanged)})"
    if constant not in (SOURCE / "SelfTest.swift").read_text():
        sys.exit(f"error: {SOURCE}/SelfTest.swift does not have the stored gates' count\nhelp: write {constant}")


parser = argparse.ArgumentParser("scripts/lab", description=__doc__)
commands = parser.add_subparsers(dest="command", required=True)
one = commands.add_parser("selftest", help="run gates of the commit against itself, unchanged and with planted changes")
one.add_argument("names", nargs="*", help="changes to try, in their words (default: all, each with its share)")
one.add_argument("--hours", type=float, default=1, help="start no further gate after this time")
one.add_argument("--gates", type=int, default=1000, help="run at most this many; 0 only rewrites the page")
commands.add_parser("check", help="check that the patches apply and that the page is current, without measuring")
typed = vars(parser.parse_args())
LAB.mkdir(parents=True, exist_ok=True)
globals()[typed.pop("command")](**typed)
