"""Checks pages of reports in headless Chromium: see scripts/check-pages."""
import base64
import csv
import json
import math
import pathlib
import re
import sys
import time

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By

golden = pathlib.Path("Tests/BenchReportsTests/Golden")
# The limits of a page: bytes, and seconds to its first screen.
most_bytes, most_seconds = 3_000_000, 1.0
# The width of A4 in CSS pixels, and how much wider a page may be, since a browser prints it smaller then.
paper_width, most_shrunk = 794, 1.3
problems = []


def refuse(page, words):
    problems.append(f"{page}: {words}")
    print(f"error: {page}: {words}", file=sys.stderr)


def browser():
    options = webdriver.ChromeOptions()
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                     "--disable-background-networking", "--force-device-scale-factor=1"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))


def look(driver, width, dark=False, medium="screen", script=True):
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False})
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
        "media": medium,
        "features": [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]})
    driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": not script})


def open_page(driver, path):
    driver.get(path.resolve().as_uri())


def picture(driver, tools, path, name):
    size = driver.execute_cdp_cmd("Page.getLayoutMetrics", {})["cssContentSize"]
    shot = driver.execute_cdp_cmd("Page.captureScreenshot", {
        "captureBeyondViewport": True,
        "clip": {"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], 6000), "scale": 1}})
    (tools / f"{path.stem}-{name}.png").write_bytes(base64.b64decode(shot["data"]))


UNFOLD = "document.querySelectorAll('details').forEach(each => each.open = true)"


def check_layout(driver, tools, path):
    for name, width, dark in (("light", 1280, False), ("dark", 1280, True), ("zoomed", 640, False),
                              ("narrow", 360, False)):
        look(driver, width, dark)
        open_page(driver, path)
        picture(driver, tools, path, name)
        # Folded parts must fit as well.
        for state in ("folded", "unfolded"):
            across = driver.execute_script("return document.documentElement.scrollWidth")
            if across > width:
                refuse(path.name, f"takes {across} pixels where there are {width}, {state}")
            driver.execute_script(UNFOLD)
    look(driver, paper_width, medium="print")
    open_page(driver, path)
    across = driver.execute_script("return document.documentElement.scrollWidth")
    if across > paper_width * most_shrunk:
        refuse(path.name, f"takes {across} pixels in print, too many to be shrunk to the {paper_width} of A4")
    (tools / f"{path.stem}.pdf").write_bytes(base64.b64decode(
        driver.execute_cdp_cmd("Page.printToPDF", {"printBackground": True})["data"]))


def check_charts(driver, path):
    charts = driver.find_elements(By.CSS_SELECTOR, "svg.chart")
    if not charts:
        refuse(path.name, "shows no chart")
    for chart in charts:
        texts = [chart.find_element(By.CSS_SELECTOR, part).get_attribute("textContent").strip()
                 for part in ("title", "desc")]
        figure = chart.find_element(By.XPATH, "..")
        rows = figure.find_elements(By.CSS_SELECTOR, "details tbody tr")
        if not all(texts) or not rows:
            refuse(path.name, f"a chart lacks its title, its sentence or its table: {texts}")


def check_requests(driver, path):
    fetched = driver.execute_script(
        "return performance.getEntriesByType('resource').map(entry => entry.name)")
    if fetched:
        refuse(path.name, f"fetches {fetched}")
    for entry in driver.get_log("browser"):
        if entry["level"] == "SEVERE":
            refuse(path.name, f"says {entry['message']}")


def check_access(driver, path, axe):
    for dark in (False, True):
        look(driver, 1280, dark)
        open_page(driver, path)
        # Folded parts are checked as well.
        driver.execute_script(UNFOLD)
        run_axe(driver, path, axe, dark)
        # A frame is a page of its own, which axe cannot enter from outside.
        for frame in driver.find_elements(By.CSS_SELECTOR, "details.graph iframe"):
            driver.switch_to.frame(frame)
            run_axe(driver, path, axe, dark)
            driver.switch_to.default_content()


def run_axe(driver, path, axe, dark):
    driver.execute_script(axe)
    found = driver.execute_async_script(
        "const done = arguments[0]; axe.run({iframes: false}).then(done, error => done({violations: "
        "[{id: String(error), nodes: []}]}))")
    for violation in found["violations"]:
        where = [node["html"][:120] for node in violation["nodes"][:3]]
        refuse(path.name, f"axe {violation['id']} ({'dark' if dark else 'light'}): {where}")


VALUES = """
const [table, place] = arguments;
return [...table.tBodies[0].rows].map(row => row.cells[place].textContent);
"""


def check_number_sorting(driver, path):
    """A column of times must sort by value, not by text. The CSV has all digits."""
    csv_path = path.with_suffix(".csv")
    if not csv_path.exists() or not path.stem.endswith("report"):
        return 0
    rows = list(csv.DictReader(csv_path.open()))
    times = {}
    for row in rows:
        if row["metric"] == "wall":
            times.setdefault((row["backend"], row["phase"]), []).append(float(row["p50"] or "nan"))
    sorted_ones = 0
    for table in driver.find_elements(By.CSS_SELECTOR, "table.sortable"):
        heads = [head.get_attribute("textContent") for head in table.find_elements(By.CSS_SELECTOR, "thead th")]
        if heads[:3] != ["backend", "phase", "time"]:
            continue
        driver.execute_script("arguments[0].click()", table.find_elements(By.CSS_SELECTOR, "thead button")[2])
        columns = [driver.execute_script(VALUES, table, place) for place in range(3)]
        shown = [(backend, phase) for backend, phase, time in zip(*columns) if time != "—"]
        # A row can belong to several groups: one of its figures must be in order.
        least = 0.0
        for row in shown:
            # The page shows and sorts three digits.
            fit = [value for value in times.get(row, []) if value >= least * 0.99]
            if not fit:
                refuse(path.name, f"sorts times wrongly: {shown}")
                break
            least = max(least, min(fit))
        sorted_ones += 1
    return sorted_ones


def check_sorting(driver, path):
    tables = [table for table in driver.find_elements(By.CSS_SELECTOR, "table.sortable")
              if len(table.find_elements(By.CSS_SELECTOR, "tbody tr")) > 2]
    if not tables:
        return False
    table = tables[0]
    heads = table.find_elements(By.CSS_SELECTOR, "thead th")
    before = driver.execute_script(VALUES, table, 0)
    driver.execute_script("arguments[0].click()", heads[0].find_element(By.TAG_NAME, "button"))
    up = driver.execute_script(VALUES, table, 0)
    driver.execute_script("arguments[0].click()", heads[0].find_element(By.TAG_NAME, "button"))
    down = driver.execute_script(VALUES, table, 0)
    if up != sorted(before) or down != sorted(before, reverse=True):
        refuse(path.name, f"sorts {before} to {up}, then {down}")
    if heads[0].get_attribute("aria-sort") != "descending":
        refuse(path.name, "does not say by what a table is sorted")
    return True


def check_range_sorting(driver, path):
    """A column of ranges must sort by the lower ends. The row of weights must not be sorted."""
    for table in driver.find_elements(By.CSS_SELECTOR, "table.sortable"):
        heads = [head.get_attribute("textContent")
                 for head in table.find_elements(By.CSS_SELECTOR, "thead tr:first-child th")]
        if "between" not in heads:
            continue
        place = heads.index("between")
        driver.execute_script("arguments[0].click()", table.find_elements(By.CSS_SELECTOR, "thead button")[place])
        texts = driver.execute_script(VALUES, table, place)
        lows = [float(text.split("×")[0].replace(",", "")) for text in texts if text[:1].isdigit()]
        if lows != sorted(lows):
            refuse(path.name, f"sorts ranges to {texts}")
        if "weight" in driver.execute_script(VALUES, table, 0):
            refuse(path.name, "sorts weights among the storages")


def check_filter(driver, path):
    field = driver.find_elements(By.ID, "filter")
    if not field:
        return
    rows = "return [...document.querySelectorAll('#figures tbody tr')].filter(row => !row.hidden).length"
    every = driver.execute_script(rows)
    field[0].send_keys("no such row anywhere")
    if every == 0 or driver.execute_script(rows) != 0:
        refuse(path.name, "does not filter rows")
    field[0].clear()


def check_without_script(driver, path):
    look(driver, 1280)
    open_page(driver, path)
    with_script = len(driver.find_elements(By.CSS_SELECTOR, "tr"))
    look(driver, 1280, script=False)
    open_page(driver, path)
    rows = driver.find_elements(By.CSS_SELECTOR, "tr")
    if len(rows) != with_script:
        refuse(path.name, f"has {len(rows)} rows without script, {with_script} with it")
    for control in driver.find_elements(By.CSS_SELECTOR, "input, button, fieldset"):
        if control.is_displayed():
            refuse(path.name, "shows a control that does nothing without script")
            break
    look(driver, 1280)


# Every figure of every chart: the chart, the first cell of the row, the column, the value.
FIGURES = """
return [...document.querySelectorAll('figure')].flatMap(figure => {
  const heads = [...figure.querySelectorAll('thead th, thead td')].map(head => head.textContent);
  return [...figure.querySelectorAll('tbody tr')].flatMap(row => [...row.cells].flatMap((cell, place) =>
    cell.dataset.value ? [[figure.id, row.cells[0].textContent, heads[place], +cell.dataset.value]] : []));
});
"""


def check_frames(driver, path):
    """A flame graph is a page in the page. It must have boxes and a search."""
    frames = driver.find_elements(By.CSS_SELECTOR, "details.graph")
    for frame in frames:
        driver.execute_script("arguments[0].open = true", frame)
        driver.switch_to.frame(frame.find_element(By.TAG_NAME, "iframe"))
        boxes = driver.find_elements(By.CSS_SELECTOR, "#graph rect")
        search = driver.find_element(By.ID, "search")
        if not boxes or not search.is_displayed():
            refuse(path.name, "a flame graph has no box, or no search")
        driver.switch_to.default_content()
    return len(frames)


# Quantiles that only charts have. The CSV has others.
NOT_IN_CSV = {("latency", f"{part} %") for part in ("50", "75", "95", "99.5", "99.9")}


def known_figure(kind, column, rows):
    """The values that a figure of a chart may have, by the CSV's rows of its storage, menu, workload and durability.

    None if the CSV does not have such figures, and an empty set if it should have this one."""
    def values(metric, field="p50", phase=None):
        return {float(row[field]) for row in rows
                if row["metric"] == metric and row[field] and phase in (None, row["phase"])}

    if (kind, column) in NOT_IN_CSV:
        return None
    whole = re.fullmatch(r"(.* )?in all( [(].*[)])?", column)
    if kind == "timeline" and whole:
        parts = whole[2][2:-1].split(" + ") if whole[2] else []
        # A timeline's total is the sum of its phases, or the workload's own `total`.
        sums = [value for part in parts for value in values("wall", phase=part)]
        return values("wall", phase="total") or ({sum(sums)} if parts else None)
    if kind == "phases" and whole:
        return values("wall", phase=whole[1].strip() if whole[1] else None)
    if kind == "latency":
        return values("wall", f"p{column.removesuffix(' %')}", "read")
    return values("wall", phase=column)


def check_figures(driver, path):
    """Compares every figure of the charts with the CSV of the same run."""
    table = path.with_suffix(".csv")
    if not table.exists() or not path.stem.endswith("report"):
        return
    rows = list(csv.DictReader(table.open()))
    sites = list(dict.fromkeys((row["menu"], row["workload"], row["durability"]) for row in rows))
    look(driver, 1280)
    open_page(driver, path)
    checked = 0
    for chart, first, column, value in driver.execute_script(FIGURES):
        name = re.fullmatch(r"chart-(?:([0-9]+)-)?(.*)", chart)
        if name[2].startswith("growth-"):
            # Exponents come from a fit, and only the CSV of `bench scale` has them.
            known = None if column == "exponent" else {
                float(row[field]) for row in rows for field in ("p50", "max")
                if row["backend"] == first and row[field] and name[2] in growth_charts(row)}
        elif name[2] == "ratios":
            fields = {"ratio": "ratio", "baseline": "baseline_p50", "now": "p50"}
            mine = [row for row in rows if row["ratio"]]
            # A gate's figures next to the ratio are those of the turns that decide.
            known = None if column != "ratio" and path.stem.startswith("gate") else {
                float(row[fields[column]]) for row in mine if row["backend"] == first.split("/")[0]}
        else:
            site = sites[int(name[1] or 1) - 1]
            mine = [row for row in rows
                    if (row["menu"], row["workload"], row["durability"]) == site and row["backend"] == first]
            known = known_figure(name[2], column, mine)
        if known is None:
            continue
        checked += 1
        if value not in known:
            refuse(path.name, f"{column} of {first} in {chart} is {value}, in the CSV {sorted(known) or 'nothing'}")
    if not checked:
        refuse(path.name, "has no figure of its CSV")


def plain(name):
    """A name as in the id of a chart: see Chart.plain."""
    return "".join(chr(byte) if byte < 128 and chr(byte).isalnum() or byte == ord("-") else f"_{byte:02X}"
                   for byte in name.encode())


def growth_charts(row):
    """The names of the growth charts that may contain a row of a run's CSV."""
    costs = [row["metric"]] + [row["phase"]] * (row["metric"] == "wall")
    return {"growth-" + plain(f"{row['workload']}-{cost}-{row['durability']}") for cost in costs}


def known_costs(path):
    """The figures in the CSV of `bench compare` or `bench scale`, by chart, row and column.

    A comparison's CSV has no sizes, so a column of growth may have the figure of any menu. Its name is None then."""
    known = {}

    def add(chart, first, column, value):
        if value:
            known.setdefault((chart, first, column), set()).add(float(value))

    rows = list(csv.DictReader(path.with_suffix(".csv").open()))
    for row in rows:
        growth = "chart-growth-" + plain(f"{row['workload']}-{row['cost']}-{row['durability']}")
        kind = row.get("row")
        if kind == "figure":
            add(growth, row["backend"], f"{float(row['size_low']):,.0f}", row["value"])
        elif kind == "exponent":
            add(growth, row["backend"], "exponent", row["value"])
        elif kind is None:
            add(growth, row["backend"], None, row["value"])
            if row["menu"] == rows[0]["menu"]:
                score = "chart-score-" + plain(row["need"] or "these weights")
                add(score, row["backend"], row["cost"], row["counts"])
                add(score, row["backend"], "score", row["score"])
    return known


def check_costs(driver, path):
    """Compares growth and scores in compare.html and scale.html with the CSV of the same run."""
    if path.stem not in ("compare", "scale") or not path.with_suffix(".csv").exists():
        return
    known = known_costs(path)
    charts = {chart for chart, _, _ in known}
    look(driver, 1280)
    open_page(driver, path)
    checked = 0
    for chart, first, column, value in driver.execute_script(FIGURES):
        # Only the CSV of `bench scale` has exponents.
        if chart not in charts or path.stem == "compare" and column == "exponent":
            continue
        checked += 1
        if chart.startswith("chart-score-"):
            # Costs of the same name have the workload and the durability in the title.
            column = column.split(" at ")[0].split("/")[-1]
        fit = known.get((chart, first, column)) or known.get((chart, first, None), ())
        # The CSV has exponents with six decimals.
        if not any(math.isclose(value, each, rel_tol=1e-12, abs_tol=1e-6) for each in fit):
            refuse(path.name, f"{column} of {first} in {chart} is {value}, which is not in the CSV")
    if not checked:
        refuse(path.name, "has no figure of its CSV")


SERIES = """
return [...document.querySelectorAll('figure')].map(figure => [
  figure.querySelector('figcaption').textContent,
  [...figure.querySelectorAll('tbody tr')].map(row => +row.cells[2].dataset.value)]);
"""


def check_history(driver, path):
    """Compares every figure of a history's charts, in order, with the export of the same series."""
    table = path.with_suffix(".csv")
    if path.stem != "history" or not table.exists():
        return
    known = {}
    for row in csv.DictReader(table.open()):
        name = "/".join(row[column] for column in ("backend", "menu", "workload", "durability", "phase", "metric"))
        known.setdefault(name, []).append(float(row["p50"]))
    look(driver, 1280)
    open_page(driver, path)
    shown = dict(driver.execute_script(SERIES))
    if shown != known:
        refuse(path.name, f"shows {shown}, and its CSV has {known}")


def check_site(driver, tools, axe):
    """Checks the layout, pictures and accessibility of the site that scripts/site made."""
    site = tools / "site"
    pages = [site / "index.html", site / "reports.html", site / "Documentation/growth.html", site / "Reports/four.html"]
    for path in pages:
        check_layout(driver, tools, path)
        look(driver, 1280)
        open_page(driver, path)
        absent = driver.execute_script(
            "return [...document.images].filter(image => !image.naturalWidth).map(image => image.src)")
        if absent:
            refuse(path.name, f"shows no {absent}")
        for dark in (False, True):
            look(driver, 1280, dark)
            open_page(driver, path)
            run_axe(driver, path, axe, dark)
    # Only its own report links to a page with charts.
    kept = {path.stem for path in (site / "Reports/pages").glob("*.html")}
    if "four" not in kept:
        refuse("pages", f"has {sorted(kept)}, and not the page of four")
    for path in sorted((site / "Reports").glob("*.html")):
        open_page(driver, path)
        links = driver.find_elements(By.CSS_SELECTOR, "main a[href^='pages/']")
        if len(links) != (path.stem in kept):
            refuse(path.name, f"has {len(links)} links to pages with charts")
        elif links:
            links[0].click()
            check_charts(driver, pathlib.Path(f"pages/{path.name}"))
    return len(pages)


def check_size(driver, path):
    size = path.stat().st_size
    look(driver, 1280)
    began = time.monotonic()
    open_page(driver, path)
    whole = time.monotonic() - began
    paint = driver.execute_async_script("""
        const done = arguments[0];
        new PerformanceObserver(list => list.getEntriesByName('first-contentful-paint')
          .forEach(entry => done(entry.startTime))).observe({type: 'paint', buffered: true});
        setTimeout(() => done(null), 5000);
        """)
    print(f"{path.name}: {size / 1e6:.2f} MB, first screen after {(paint or 0) / 1000:.2f} s, whole after {whole:.2f} s")
    if size > most_bytes:
        refuse(path.name, f"has {size} bytes, more than {most_bytes}")
    if paint is None or paint / 1000 > most_seconds:
        refuse(path.name, f"shows its first screen after {paint} ms")


def main():
    tools = pathlib.Path(sys.argv[1])
    axe = next(tools.glob("python/lib/*/site-packages/axe_playwright_python/**/axe.min.js")).read_text()
    large = pathlib.Path(".build/large-report.html")
    pages = [pathlib.Path(page) for page in sys.argv[2:]] or sorted(golden.glob("*.html"))
    if large.exists() and len(sys.argv) == 2:
        pages.append(large)
    elif len(sys.argv) == 2:
        print("skipped: no page of all storages, workloads and menus; ./scripts/test leaves one", file=sys.stderr)
    with browser() as driver:
        sorts = numbers = frames = 0
        for path in pages:
            check_size(driver, path)
            check_layout(driver, tools, path)
            look(driver, 1280)
            open_page(driver, path)
            check_charts(driver, path)
            sorts += check_sorting(driver, path)
            numbers += check_number_sorting(driver, path)
            check_range_sorting(driver, path)
            check_filter(driver, path)
            frames += check_frames(driver, path)
            check_requests(driver, path)
            check_figures(driver, path)
            check_costs(driver, path)
            check_history(driver, path)
            # This takes minutes for the large page, and the small pages have all of its parts.
            if path != large:
                check_access(driver, path, axe)
            check_without_script(driver, path)
        count = len(pages) + (check_site(driver, tools, axe) if len(sys.argv) == 2 else 0)
        version = driver.capabilities["browserVersion"]
    if len(sys.argv) == 2 and not (sorts and numbers and frames):
        refuse("all pages", "have no table that sorts, by words and by numbers, or no flame graph")
    print(f"{count} pages in Chromium {version}, pictures in {tools}")
    sys.exit(f"{len(problems)} problems" if problems else 0)


main()
