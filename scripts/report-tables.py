"""Fills in the tables and figures that pages copy from Reports.

A table goes between <!-- table: NAME --> and <!-- end -->, a figure in a sentence between <!-- figure: NAME --> and
<!-- end -->. <!-- table: screen FILE LINES --> shows lines of a golden file. A cell is copied unchanged from the
report, with its interval. A figure is a cell, or a quotient or count of cells. With --check the script writes nothing,
and ends with status 1 if a page differs from its report.
"""

import re
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.append("Tests/Lab")
from binomial import interval

REPORTS = Path("Reports")


def tables(name):
    """The tables of a page, each as (heading of the section, column titles, rows)."""
    section, found, titles = "", [], None
    for line in (REPORTS / f"{name}.md").read_text().splitlines():
        if line.startswith("#"):
            section, titles = line.lstrip("# "), None
        elif not line.startswith("|"):
            titles = None
        else:
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            if titles is None:
                titles = cells
                found.append((section, titles, []))
            elif not set(line) <= set("|-: "):
                found[-1][2].append(cells)
    return found


class Page:
    """A report's figures, by section, backend, and column or phase."""

    def __init__(self, name):
        self.name, self.tables = name, tables(name)

    def backends(self, section):
        return list(dict.fromkeys(row[0] for s, t, rows in self.tables if s.startswith(section)
                                  and t[:2] == ["backend", "phase"] for row in rows))

    def cost(self, section, backend, column):
        """A cost that decides, with its interval if it has one."""
        for s, titles, rows in self.tables:
            if s.startswith(section) and "phase" not in titles and column in titles:
                for row in rows:
                    if row[0] == backend:
                        place = titles.index(column)
                        spread = row[place + 1] if titles[place + 1:place + 2] == ["±"] else ""
                        return f"{row[place]} {spread}".replace(" —", "").strip()
        raise SystemExit(f"{self.name}: no {column} of {backend} in {section}")

    def phase(self, section, backend, phase, column="time"):
        """A figure of a phase. A time has its interval."""
        for s, titles, rows in self.tables:
            if s.startswith(section) and titles[:2] == ["backend", "phase"]:
                for row in rows:
                    if row[:2] == [backend, phase]:
                        spread = " " + row[titles.index("±")] if column == "time" else ""
                        return (row[titles.index(column)] + spread).replace(" —", "")
        return "—"


def drawn(titles, rows):
    lines = [titles, ["---"] + ["---:"] * (len(titles) - 1), *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def four():
    """The first table of a run as in a terminal, with the columns that fit into README."""
    _, titles, rows = tables("four")[0]
    # Some titles occur after several costs. Each belongs to the cost before it.
    wanted = [("backend", 0), ("save", 0), ("save", 1), ("save", 2), ("load", 0), ("load", 1),
              ("load", 2), ("stored", 0)]
    places = [titles.index(title) + behind for title, behind in wanted]
    lines = [[cells[place].replace("\\", "") for place in places] for cells in [titles, *rows]]
    widths = [max(len(cells[column]) for cells in lines) for column in range(len(places))]
    lines.insert(1, ["─" * width for width in widths])
    drawn = ["  ".join([cells[0].ljust(widths[0])]
                       + [cell.rjust(width) for cell, width in zip(cells[1:], widths[1:])])
             for cells in lines]
    return "```text\n" + "\n".join(drawn) + "\n```"


def storages():
    page = Page("storages")
    rows = []
    for backend in page.backends("large · roundtrip"):
        rows.append([
            f"`{backend}`",
            page.cost("large · roundtrip", backend, "save"),
            page.cost("large · roundtrip", backend, "load"),
            page.cost("large · product", backend, "product"),
            page.cost("large · combo", backend, "combo"),
            page.phase("large · combo", backend, "combo", "touched"),
            page.cost("large · roundtrip", backend, "stored"),
        ])
    return drawn(["", "save", "load", "product", "combo", "touched for it", "stored"], rows)


# Codecs in rows, places in columns. Some pairs were measured under their own names.
PLACES = {"file": "`file`", "sqlite-row": "`sqlite-row`", "lmdb": "`lmdb`"}
NAMED = {"json@file": "json", "plist@file": "plist", "protobuf@file": "protobuf",
         "json@sqlite-row": "sqlite-blob"}


def codecs():
    page, rows = Page("codecs"), []
    for codec in ("json", "plist", "protobuf"):
        pairs = [f"{codec}@{place}" for place in PLACES]
        rows.append([f"`{codec}`"] + [
            page.cost("large · roundtrip", NAMED.get(pair, pair), column)
            for column in ("save", "load") for pair in pairs])
    return drawn(["codec"] + [f"{column} at {place}" for column in ("save", "load")
                              for place in PLACES.values()], rows)


def founding():
    page, section = Page("founding-case"), "large"
    rows = []
    for backend in ["object-graph-faulting", "object-graph", "json", "sqlite", "cached-json"]:
        counts = [page.phase(section, backend, phase, "allocs") for phase in ("write", "read")]
        rows.append([
            f"`{backend}`",
            page.cost(section, backend, "save"), page.cost(section, backend, "load"),
            *(page.phase(section, backend, phase) for phase in ("write", "read")),
            ", ".join(counts), page.cost(section, backend, "stored"),
        ])
    return drawn(["", "save", "load", "of which write", "read", "allocations of write, read",
                  "stored"], rows)


def launch_flow():
    page, section = Page("launch-flow"), "large"
    phases = ["network", "parse", "store", "read-back", "map", "total"]
    rows = [[f"`{backend}`", *(page.phase(section, backend, phase) for phase in phases),
             page.phase(section, backend, "total", "persistence")]
            for backend in ("object-graph-faulting", "cached-json")]
    return drawn(["", "network", "parse", "store", "read back", "map", "total", "persistence"], rows)


def growth():
    """Saves and loads at the largest sizes of the report."""
    rows, backends = [], []
    for section, titles, sizes in tables("growth"):
        if section.startswith(("roundtrip/save at", "roundtrip/load at")):
            backends = [f"`{backend}`" for backend in titles[1:]]
            rows += [[section.split()[0].removeprefix("roundtrip/"), *cells] for cells in sizes[-3:]]
    return drawn(["cost", "slot options", *backends], rows)


def decision(shown):
    """The first backend and the next for each need and size of menu, and how far apart their scores are."""
    rows = []
    for need in ("refresh", "launch", "catalogue", "offline", "frequent-updates"):
        found = next((rows for section, titles, rows in tables("choosing")
                      if section.startswith(f"{need} and") and "ahead by" in titles), None)
        if found is None:
            print(f"warning: choosing has no answer for {need}, so its table stays as it is", file=sys.stderr)
            return shown
        if len(found) != 3 or any("unproven" in row[-1] for row in found):
            raise SystemExit(f"choosing: no proven answer of three sizes for {need}")
        rows.append([f"`{need}`"] + [
            f"`{first}` or `{other}`, {ahead.split(',')[0]}" if "too close" in ahead
            else f"**`{first}`**, then `{other}`, {ahead}"
            for _, first, _, other, _, ahead in found])
    lines = drawn(["your need", "`small`", "`medium`", "`large`"], rows).splitlines()
    return "\n".join([lines[0], "| --- | --- | --- | --- |", *lines[2:]])


def shares(phase, row, titles):
    """Where a phase's time goes: its parts of a tenth and more, the largest first."""
    parts = [(float(cell.rstrip(" %").lstrip("<")), title, cell)
             for title, cell in zip(titles[2:], row[2:]) if cell.endswith("%")]
    return f"{phase}: " + (", ".join(f"{title} {cell}" for share, title, cell in sorted(parts, reverse=True)
                                     if share >= 10) or "too short to sample")


def why(table):
    """The same table with a new last column: where the time of the costliest phase goes."""
    found = {f"`{row[0]}`": shares(phase, row, titles) for phase, titles, rows in tables("costs") for row in rows}
    lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()]
    for cells in lines[2:]:
        cells[-1] = found[cells[0]]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def screen(file, *ranges):
    """Lines of a golden file, such as 1-3 and 10-12. Tests compare the file with the program's output."""
    lines = Path("Tests/BenchReportsTests/Golden", file).read_text().splitlines()
    parts = [lines[int(first) - 1:int(last)] for first, last in (each.split("-") for each in ranges)]
    return "```text\n" + "\n…\n".join("\n".join(part) for part in parts) + "\n```"


# Each function gets the present table of the page.
MAKERS = {
    "decision": decision, "four": lambda _: four(), "storages": lambda _: storages(),
    "codecs": lambda _: codecs(), "founding": lambda _: founding(), "launch-flow": lambda _: launch_flow(),
    "growth": lambda _: growth(), "why": why,
}


def cell(report, title, row, section, behind=0):
    """The cell of a section's first row that begins with these cells, `behind` columns after the title."""
    parts = (REPORTS / f"{report}.md").read_text().split("\n## ")
    part = next((part for part in parts if part.startswith(section)), "")
    rows = [[text.strip() for text in line.strip("|").split("|")]
            for line in part.splitlines() if line.startswith("|")]
    place = None
    for cells, following in zip(rows, [*rows[1:], [""]]):
        if following[0].startswith("---"):
            place = cells.index(title) + behind if title in cells else None
        elif place is not None and cells[:len(row)] == row and place < len(cells):
            return cells[place]
    raise SystemExit(f"{report}: no {title} of {' '.join(row)} in {section}")


def multiple(report, cost, backend, section, than="sqlite"):
    """A backend's cost as a multiple of the best backend's. The sentence names the best backend."""
    if cell(report, cost, [than], section, 2) != "best":
        raise SystemExit(f"{report}: {than} is not the best at {cost}")
    return float(cell(report, cost, [backend], section, 2).rstrip("×"))


def seconds(text):
    number, unit = text.split()
    return float(number.replace(",", "")) * {"ns": 1e-9, "µs": 1e-6, "ms": 1e-3, "s": 1}[unit]


def quotient(phase, slow, fast):
    times = [seconds(cell("storages", "time", [backend, phase], "large · roundtrip")) for backend in (slow, fast)]
    ratio = times[0] / times[1]
    return f"{ratio:.1f}" if ratio < 10 else str(round(ratio))


def flow(backend, phase, title="time"):
    return cell("launch-flow", title, [backend, phase], "large:lists")


def found(load, wanted):
    """In how many gates a planted change was found, such as 12 of 12, for the changes of that name and load."""
    rows = [row for section, titles, rows in tables("gate-selftest") if titles[0] == "changed" for row in rows
            if re.search(wanted, row[0]) and row[1] in load]
    return f"{sum(int(row[2]) for row in rows)} of {sum(int(row[3]) for row in rows)}"


def share_interval(share):
    return interval(*map(int, share.split(" of ")))


def prose(report, pattern):
    found = re.search(pattern, (REPORTS / f"{report}.md").read_text().replace("\n", " "))
    return found[1] if found else sys.exit(f"{report}: nothing matches {pattern}")


OPEN = r"whether a cost changed in (.+? %) without other load .+? and (.+? %) with busy"
GRAPH, QUIET, BUSY = "object-graph-faulting", "none", "busy neighbour processes"
FIGURES = {
    "four.load": lambda: f"{multiple('four', 'load', 'json', 'large · roundtrip'):.1f}",
    "launch-flow.store": lambda: flow(GRAPH, "store"),
    "launch-flow.read-back": lambda: flow(GRAPH, "read-back"),
    "launch-flow.total": lambda: flow(GRAPH, "total"),
    "launch-flow.share": lambda: flow(GRAPH, "total", "persistence"),
    "launch-flow.cached-share": lambda: flow("cached-json", "total", "persistence"),
    "launch-flow.cached-total": lambda: flow("cached-json", "total"),
    "launch-flow.cached-store": lambda: flow("cached-json", "store"),
    "founding.save": lambda: cell("founding-case", "save", [GRAPH], "large:lists"),
    "founding.load": lambda: cell("founding-case", "load", [GRAPH], "large:lists"),
    "founding.save-times": lambda: str(round(multiple("founding-case", "save", GRAPH, "large:lists"))),
    "founding.load-times": lambda: str(round(multiple("founding-case", "load", GRAPH, "large:lists"))),
    "storages.records-write": lambda: quotient("write", "sqlite-records", "sqlite"),
    "storages.records-read": lambda: quotient("read", "sqlite-records", "sqlite"),
    "storages.protobuf-decode": lambda: quotient("decode", "json", "protobuf"),
    "gate.took": lambda: prose("gate-selftest", r"The median gate took (.+?)\."),
    "added.quiet": lambda: found([QUIET], "^5 %"),
    "added.busy": lambda: found([BUSY], "^5 %"),
    "decode.quiet": lambda: found([QUIET], "checks a sum"),
    "decode.busy": lambda: found([BUSY], "checks a sum"),
    "larger": lambda: found([QUIET, BUSY], "twice|in ten|31 MB"),
    "selftest.gates": lambda: str(sum(int(cell("gate-selftest", "of", [session, "gates"], "Nothing changed"))
                                      for session in (QUIET, BUSY))),
    "selftest.red": lambda: str(sum(int(cell("gate-selftest", "red", [session, "gates"], "Nothing changed"))
                                    for session in (QUIET, BUSY))),
    "selftest.red-interval": lambda: share_interval(f"{FIGURES['selftest.red']()} of {FIGURES['selftest.gates']()}"),
    "selftest.open-quiet": lambda: prose("gate-selftest", OPEN),
    "selftest.open-busy": lambda: prose("gate-selftest", OPEN.replace("(.+? %)", ".+? %", 1)),
}

def made_of(name, shown):
    return screen(*name.split()[1:]) if name.startswith("screen ") else MAKERS[name](shown)


stale = 0
for path in [Path("README.md"), *sorted(Path("Documentation").glob("*.md"))]:
    text = path.read_text()
    made = re.sub(
        r"(<!-- table: (.+?) -->\n\n)(.*?)(\n\n<!-- end -->)",
        lambda match: match[1] + made_of(match[2], match[3]) + match[4], text, flags=re.S)
    # A line break may fall into a figure.
    made = re.sub(
        r"<!--\s+figure:\s+(\S+)\s+-->(.*?)<!--\s+end\s+-->",
        lambda match: match[0] if " ".join(match[2].split()) == FIGURES[match[1]]()
        else f"<!-- figure: {match[1]} -->{FIGURES[match[1]]()}<!-- end -->", made, flags=re.S)
    if made == text:
        continue
    if "--check" in sys.argv:
        print(f"error: {path} has a table or a figure that differs from its report", file=sys.stderr)
        print("help: ./scripts/reports --", file=sys.stderr)
        stale = 1
    else:
        path.write_text(made)
        print(f"filled in: {path}", file=sys.stderr)
sys.exit(stale)
