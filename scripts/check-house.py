"""Prints the lines and the budget of each group of targets, and allows circles of at most nine files in a target.

A file points to another of its target if it names a type that only the other declares at its top level. Private
types do not count. Files that point to each other, directly or through others, form a circle: to understand one
of them you must read them all. --verbose names the files of the largest circle of each target. Exits with 1 if a
circle is too large.
"""

import os
import re
import sys
from collections import defaultdict
from pathlib import Path

LARGEST_CIRCLE = 9
# Groups of targets, each with its budget in lines. A target that no group names belongs to the rest.
GROUPS = {
    "commands": (7000, "bench BenchCLI"),
    "reports": (6000, "BenchReports"),
    "analysis": (6800, "BenchAnalysis BenchStatistics"),
    "engine and probes": (6700, "BenchEngine BenchProbes"),
    "workloads": (4000, "MenuWorkloads"),
    "menus": (5500, "MenuModel MenuSources BenchDocuments"),
    "storages": (
        14500,
        "BackendKit SQLBackends LMDBBackends ProtobufBackends SimdjsonBackends ZstdBackends PersistenceBackends",
    ),
    "the rest": (4500, ""),
    "tests": (36000, ""),
}

DECLARATION = re.compile(
    r"^(?P<modifiers>(?:@\w+(?:\([^)]*\))? +|[a-z]+ )*)(?:struct|class|enum|protocol|actor|typealias) (?P<name>[A-Z]\w*)",
    re.MULTILINE,
)
# Names in comments and texts are not references.
NOT_CODE = re.compile(r'"""(?:.|\n)*?"""|//[^\n]*|/\*(?:.|\n)*?\*/|"(?:\\.|[^"\\\n])*"')


def references(files):
    """The files that each file points to."""
    text = {file: NOT_CODE.sub("", file.read_text()) for file in files}
    declared = defaultdict(set)
    for file, words in text.items():
        for match in DECLARATION.finditer(words):
            if "private" not in match["modifiers"]:
                declared[match["name"]].add(file)
    home = {name: min(found) for name, found in declared.items() if len(found) == 1}
    return {
        file: {home[name] for name in re.findall(r"\b[A-Z]\w*", words) if name in home} - {file}
        for file, words in text.items()
    }


def circles(files):
    """The groups of files that reach each other, the largest first."""
    arrows = references(files)
    reached = {}
    for file in files:
        found, open_files = set(), [file]
        while open_files:
            for other in arrows[open_files.pop()] - found:
                found.add(other)
                open_files.append(other)
        reached[file] = found
    groups = {
        frozenset(other for other in files if other in reached[file] and file in reached[other]) for file in files
    }
    return sorted((group for group in groups if len(group) > 1), key=len, reverse=True)


def lines(files):
    return sum(len(file.read_text().splitlines()) for file in files if not file.is_symlink())


def main():
    os.chdir(Path(__file__).parent.parent)
    is_good = True
    targets = {folder.name: sorted(folder.rglob("*.swift")) for folder in Path("Sources").iterdir()}
    counted = {name: lines(files) for name, files in targets.items()}
    named = {name for _, names in GROUPS.values() for name in names.split()}
    for group, (budget, names) in GROUPS.items():
        if group == "tests":
            total = lines(Path("Tests").rglob("*.swift"))
        else:
            total = sum(counted.get(name, 0) for name in (names.split() or counted.keys() - named))
        print(f"{group:18} {total:6} lines of {budget}{'' if total <= budget else ': too many'}")
    print(f"{'Sources in all':18} {sum(counted.values()):6}")
    for name, files in sorted(targets.items()):
        for circle in circles(files)[:1]:
            is_small = len(circle) <= LARGEST_CIRCLE
            is_good &= is_small
            if not is_small or "--verbose" in sys.argv:
                print(f"{name}: a circle of {len(circle)} files, {lines(circle)} lines; at most {LARGEST_CIRCLE}")
            if "--verbose" in sys.argv:
                print("".join(f"  {file}\n" for file in sorted(circle)), end="")
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
