"""Makes pages from Markdown: see scripts/site."""
import html
import pathlib
import re
import shutil
import subprocess
import sys

out, has_reference = pathlib.Path(sys.argv[1]), bool(sys.argv[2])
reports = sorted(pathlib.Path("Reports").glob("*.md"))
documents = sorted(pathlib.Path("Documentation").glob("*.md"))
pages = [pathlib.Path("README.md"), pathlib.Path("CHANGELOG.md"), pathlib.Path("CONTRIBUTING.md"),
         pathlib.Path("SECURITY.md"), *documents, *reports, *sorted(pathlib.Path("Datasets").glob("*.md"))]

style = """
:root { color-scheme: light dark; --ground: #fff; --ink: #1a1a1a; --line: #767676; --soft: #f2f2f2; }
@media (prefers-color-scheme: dark) { :root { --ground: #161616; --ink: #eee; --line: #999; --soft: #262626; } }
* { box-sizing: border-box; }
body { background: var(--ground); color: var(--ink); font: 16px/1.55 system-ui, sans-serif; margin: 0; }
nav, main { max-width: 60rem; margin: 0 auto; padding: .75rem 1rem; }
nav { border-bottom: 1px solid var(--line); }
nav a { margin-right: 1rem; }
a { color: inherit; } img { max-width: 100%; height: auto; }
h1, h2, h3, p, li { overflow-wrap: anywhere; }
pre { background: var(--soft); padding: .75rem; overflow-x: auto; }
code { font-size: .9em; overflow-wrap: anywhere; } pre code { overflow-wrap: normal; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
td, th { padding: .15rem .9rem .15rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
"""


def title(page):
    found = re.search(r"^# (.*)$", page.read_text(), re.MULTILINE)
    return re.sub(r"[`*]", "", found.group(1)) if found else page.stem


def anchor(text):
    plain = html.unescape(re.sub(r"<[^>]*>", "", text))
    return "".join(c for c in plain.lower() if c.isalnum() or c in " -_").replace(" ", "-")


def place(page):
    """The path in the site of a page of Markdown."""
    return pathlib.Path("index.html") if page == pathlib.Path("README.md") else page.with_suffix(".html")


def linked(page, target):
    """The link of a page in the site. Copies its target into the site."""
    path, _, fragment = target.partition("#")
    if not path or re.match(r"[a-z]+:", path):
        return target
    source = pathlib.Path(page.parent, path)
    source = pathlib.Path(*source.resolve().relative_to(pathlib.Path.cwd()).parts)
    if source in pages:
        there = place(source)
    elif source.is_file():
        there = source
        (out / there).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, out / there)
    elif source.is_dir():
        # A folder gets a page that lists its files.
        there = source / "index.html"
        files = sorted(each for each in source.rglob("*") if each.is_file() and ".build" not in each.parts)
        items = "".join(f"<li>{html.escape(str(each.relative_to(source)))}</li>" for each in files)
        write(there, str(source), f"<h1>{html.escape(str(source))}</h1>\n<ul>{items}</ul>")
    else:
        sys.exit(f"error: {page} links to {target}, which is not there")
    up = "../" * (len(place(page).parts) - 1)
    return up + there.as_posix() + ("#" + fragment if fragment else "")


def write(there, name, body):
    up = "../" * (len(there.parts) - 1)
    reference = f'<a href="{up}reference/documentation/">Reference</a>' if has_reference else ""
    text = f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{html.escape(name)} · MenuBench</title>
<style>{style}</style>
</head>
<body>
<nav aria-label="Site"><a href="{up}index.html">MenuBench</a><a href="{up}reports.html">Reports</a>\
<a href="{up}documents.html">Documents</a>{reference}</nav>
<main>
{body}
</main>
</body>
</html>
"""
    (out / there).parent.mkdir(parents=True, exist_ok=True)
    (out / there).write_text(text)


for page in pages:
    # All raw HTML is ours: pictures, and comments that mark tables.
    body = subprocess.run(
        ["cmark-gfm", "--unsafe", "--extension", "table", "--extension", "autolink", str(page)],
        check=True, capture_output=True, text=True).stdout
    body = re.sub(r'(href|src|srcset)="([^"]*)"',
                  lambda found: f'{found[1]}="{html.escape(linked(page, html.unescape(found[2])))}"', body)
    body = re.sub(r"<h([1-6])>(.*?)</h\1>",
                  lambda found: f'<h{found[1]} id="{anchor(found[2])}">{found[2]}</h{found[1]}>', body)
    # Links to the run's page with charts, if scripts/reports kept one.
    whole = pathlib.Path(f"Reports/pages/{page.stem}.html")
    if page in reports and whole.is_file():
        (out / "Reports/pages").mkdir(parents=True, exist_ok=True)
        shutil.copyfile(whole, out / "Reports/pages" / whole.name)
        link = f'<p><a href="pages/{whole.name}">With charts, and tables that sort and filter</a></p>'
        body = body.replace("</h1>", "</h1>\n" + link, 1)
    # Empty heads become plain cells, and the keyboard reaches tables that scroll.
    body = re.sub(r"<th( [^>]*)?></th>", r"<td\1></td>", body)
    body = body.replace("<pre>", '<pre tabindex="0">')
    body = body.replace("<table>", '<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>')
    body = body.replace("</table>", "</table></div>")
    write(place(page), title(page), body)

for name, listed in (("Reports", reports), ("Documents", documents)):
    items = "\n".join(f'<li><a href="{place(page).as_posix()}">{html.escape(title(page))}</a></li>'
                      for page in listed)
    write(pathlib.Path(name.lower() + ".html"), name, f"<h1>{name}</h1>\n<ul>\n{items}\n</ul>")
print(f"{len(pages)} pages", file=sys.stderr)
