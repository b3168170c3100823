#!/usr/bin/env python3
"""Makes statistics.csv: cases whose answers come from NumPy and SciPy, or, where these have none, from the definition.
Run it in this folder."""
import csv

import numpy as np
from scipy import stats

rng = np.random.default_rng(20260101)
rows = []


def text(values):
    return " ".join(repr(float(v)) for v in values)


def case(function, first, second, parameter, *answers):
    rows.append([function, text(first), text(second), parameter, text(answers)])


def walsh(values):
    count = len(values)
    averages = np.sort([(values[i] + values[j]) / 2 for i in range(count) for j in range(i, count)])
    chances = np.ones(1)
    for rank in range(1, count + 1):
        chances = (np.append(chances, np.zeros(rank)) + np.append(np.zeros(rank), chances)) / 2
    extreme = int(np.searchsorted(2 * np.cumsum(chances), 0.05, side="right")) - 1
    ends = [] if extreme < 0 else [averages[extreme], averages[-1 - extreme]]
    return [np.median(averages), *ends]


for count in (1, 2, 3, 7, 10, 101):
    values = rng.lognormal(10, 1, count)
    for p in (0, 0.1, 0.5, 0.9, 0.99, 1):
        case("quantile", values, [], p, np.quantile(values, p, method="linear"))
    case("mean", values, [], "", np.mean(values))
    if count > 1:
        case("deviation", values, [], "", np.std(values, ddof=1))
    case("trimmed mean", values, [], "", stats.trim_mean(values, 0.25))

for count in (1, 2, 5, 6, 12, 20, 50):
    values = rng.normal(0.4, 1, count)
    p = stats.wilcoxon(values, mode="exact").pvalue
    case("signed rank", values, [], "", p, *walsh(values))

for left, right in ((3, 3), (3, 10), (7, 6), (20, 12)):
    first, second = rng.normal(0.5, 1, left), rng.normal(0, 3, right)
    found = stats.ttest_ind(first, second, equal_var=False)
    error = (first.mean() - second.mean()) / found.statistic
    case("welch", first, second, "", first.mean() - second.mean(), np.floor(found.df), error)

for level in (0.95, 0.99):
    for successes, trials in ((0, 1), (1, 1), (0, 1_000), (1, 1_000), (7, 1_000), (500, 1_000),
                              (999, 1_000), (1_000, 1_000), (3, 16), (1, 100_000),
                              (37_000, 100_000), (99_999, 100_000)):
        found = stats.binomtest(successes, trials).proportion_ci(level, method="exact")
        case("clopper-pearson", [successes, trials], [], level, found.low, found.high)

with open("statistics.csv", "w", newline="") as file:
    csv.writer(file, lineterminator="\n").writerows(
        [["function", "first", "second", "parameter", "answers"]] + rows
    )
