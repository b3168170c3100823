"""Measures how hard the pages are to read, and ends with status 1 if they are above the limits.

  python3 scripts/check-prose.py              one line for all pages, and one for each page above a limit
  python3 scripts/check-prose.py --worst 20   the longest sentences of all pages as well
  python3 scripts/check-prose.py --code 40    comments, help and messages of Sources with hard habits, worst first

Code, tables and headings do not count. These are signs of hard prose, not a proof of good prose.
"""

import re
import sys
from pathlib import Path

PAGES = [Path("README.md"), Path("CONTRIBUTING.md"), *sorted(Path("Documentation").glob("*.md"))]
# For all pages together. Only guides must speak to the reader as you.
LIMITS = {"words": 18_000, "mean": 16, "longest of 95 %": 30, "semicolons": 2, "openers": 1}
YOU = 12

WORD = re.compile(r"[\w’'-]+")
OPENERS = {"what", "where", "who", "whoever", "whose", "of", "nobody"}
HABITS = re.compile(
    r"\b(nobody|whoever|anew|is told|is said|is meant|is named|unless told|what is|of which|in turn|stands?|dear(er)?"
    r"|mends?|but once|takes? for)\b|;", re.I)


def sentences(text):
    """The sentences of a page, without markup. Code within a sentence counts as one word."""
    text = re.sub(r"^(```|~~~).*?^\1", "", text, flags=re.S | re.M)
    text = re.sub(r"<!--.*?-->", "", text, flags=re.S)
    paragraphs, lines = [], []
    for line in [*text.splitlines(), ""]:
        line = line.strip().lstrip("> ")
        item = re.match(r"([-*•]|\d+\.)\s+", line)
        if not line or item or line.startswith(("#", "|", "![")):
            paragraphs.append(" ".join(lines))
            lines = []
        if line and not line.startswith(("#", "|", "![")):
            lines.append(line[item.end():] if item else line)
    for paragraph in paragraphs:
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", paragraph)
        plain = re.sub(r"`[^`]*`", "CODE", plain).replace("e.g.", "eg")
        for sentence in re.split(r"(?<=[.!?])[)\"*_]*\s+(?=[*_\"(]*[A-Z0-9])", plain):
            if len(WORD.findall(sentence)) >= 3:
                yield sentence


def first(sentence):
    return WORD.search(sentence)[0].lower()


def figures(found):
    """The measures of some sentences: shares in per cent, counts per thousand words."""
    lengths = sorted(len(WORD.findall(sentence)) for sentence in found)
    words, text = sum(lengths), " ".join(found)
    return {
        "words": words, "mean": words / len(found), "longest of 95 %": lengths[int(0.95 * (len(lengths) - 1))],
        "semicolons": 1000 * text.count(";") / words,
        "openers": 100 * sum(first(sentence) in OPENERS for sentence in found) / len(found),
        "you": 1000 * len(re.findall(r"\byours?\b|\byou\b", text, re.I)) / words,
    }


def above(measured, limits):
    return [name for name, limit in limits.items() if measured[name] > limit]


def shown(name, measured, wrong):
    parts = ", ".join(f"{name} {value:.4g}" for name, value in measured.items())
    print(f"{name}: {parts}" + (f"; above the limit: {', '.join(wrong)}" if wrong else ""))


def pages(worst):
    found = {path: list(sentences(path.read_text())) for path in PAGES}
    each = {name: limit for name, limit in LIMITS.items() if name != "words"}
    for path, own in found.items():
        # Markdown takes such a line for HTML, and breaks its sentence.
        if re.search(r"^<!-- figure", path.read_text(), flags=re.M):
            sys.exit(f"{path}: a line begins with the comment of a figure: put a word before it")
        measured = figures(own)
        if wrong := above(measured, each):
            shown(path, measured, wrong)
    measured = figures([sentence for own in found.values() for sentence in own])
    wrong = above(measured, LIMITS)
    guides = figures([sentence for path, own in found.items() if path.name != "CONTRIBUTING.md" for sentence in own])
    if guides["you"] < YOU:
        wrong.append(f"you, {guides['you']:.3g} of at least {YOU}")
    shown("all pages", measured, wrong)
    longest = sorted(((sentence, path) for path, own in found.items() for sentence in own),
                     key=lambda pair: -len(pair[0].split()))
    for sentence, path in longest[:worst]:
        print(f"{path}: {sentence}")
    return 1 if wrong else 0


def code(worst):
    """Prints the comments and texts with most hard habits. A text is a string literal of some words."""
    found = []
    for path in sorted(Path("Sources").rglob("*.swift")):
        if path.name.endswith(".pb.swift"):
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            comment = re.search(r"//[/ ]*(.*)", line)
            texts = [comment[1]] if comment else re.findall(r'"((?:[^"\\]|\\.)*)"', line)
            for text in (text for text in texts if len(text.split()) > 3):
                count = len(HABITS.findall(text)) + (first(text) in OPENERS if WORD.search(text) else 0)
                if count:
                    found.append((count, f"{path}:{number}: {text}"))
    found.sort(key=lambda pair: -pair[0])
    for _, text in found[:worst]:
        print(text)
    print(f"{len(found)} comments and texts in all")
    return 0


option, *rest = sys.argv[1:] or ["--worst", "0"]
if option not in ("--worst", "--code") or len(rest) > 1:
    sys.exit(__doc__)
sys.exit({"--worst": pages, "--code": code}[option](int(rest[0]) if rest else 40))
