#!/usr/bin/env python3
"""Makes statistics.csv: cases whose answers come from NumPy and SciPy, or, where these have no
exact answer, from counting every outcome in whole numbers here. Run it in this folder."""
import csv
import itertools
from fractions import Fraction

import numpy as np
from scipy import stats

MASK = (1 << 64) - 1
rng = np.random.default_rng(20260101)
rows = []


def text(values):
    return " ".join(repr(float(v)) for v in values)


def case(function, first, second, parameter, *answers):
    rows.append([function, text(first), text(second), parameter, text(answers)])


def split_mix(seed):
    state = seed
    while True:
        state = (state + 0x9E3779B97F4A7C15) & MASK
        z = state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        yield z ^ (z >> 31)


def resampled_median(values, numbers):
    ordered = np.sort(values)
    picks = [(next(numbers) * len(ordered)) >> 64 for _ in ordered]
    return np.median(ordered[picks])


def resampled_trimmed_mean(values, numbers):
    ordered = np.sort(values)
    picks = [(next(numbers) * len(ordered)) >> 64 for _ in ordered]
    return stats.trim_mean(ordered[picks], 0.25)


def counted_sign_flip(values):
    values = [v for v in values if v != 0]
    ranks = stats.rankdata(np.abs(values))
    observed = abs(sum(r if v > 0 else -r for r, v in zip(ranks, values)))
    flips = itertools.product((1, -1), repeat=len(ranks))
    hits = sum(abs(sum(s * r for s, r in zip(signs, ranks))) >= observed for signs in flips)
    return float(Fraction(hits, 2 ** len(ranks)))


def counted_mann_whitney(first, second):
    ranks = stats.rankdata(np.concatenate([first, second]))
    observed = ranks[: len(first)].sum()
    sums = [sum(ranks[list(c)]) for c in itertools.combinations(range(len(ranks)), len(first))]
    below = Fraction(sum(s <= observed for s in sums), len(sums))
    above = Fraction(sum(s >= observed for s in sums), len(sums))
    u = observed - len(first) * (len(first) + 1) / 2
    return u, float(min(1, 2 * min(below, above)))


for count in (1, 2, 3, 7, 10, 101):
    values = rng.lognormal(10, 1, count)
    for p in (0, 0.1, 0.5, 0.9, 0.99, 1):
        case("quantile", values, [], p, np.quantile(values, p, method="linear"))
    case("mean", values, [], "", np.mean(values))
    if count > 1:
        case("deviation", values, [], "", np.std(values, ddof=1))
        mad = stats.median_abs_deviation(values, scale=1 / 1.4826)
        case("robust", values, [], "", mad)
    case("trimmed mean", values, [], "", stats.trim_mean(values, 0.25))
    if count > 1:
        error = stats.mstats.trimmed_stde(values, limits=(0.25, 0.25), inclusive=(1, 1))
        # SciPy divides by the parts that were asked for; kept is what is left of whole values.
        kept = count - 2 * (count // 4)
        case("trimmed mean error", values, [], "", error * (0.5 * count / kept))

for count in (6, 7, 8, 9, 12, 20, 31, 100, 1500):
    values = rng.normal(size=count)
    ordered = np.sort(values)
    rank = int(stats.binom.ppf(0.025, count, 0.5))
    while 1 - 2 * stats.binom.cdf(rank - 1, count, 0.5) < 0.95:
        rank -= 1
    while 1 - 2 * stats.binom.cdf(rank, count, 0.5) >= 0.95:
        rank += 1
    case("median interval", values, [], 0.95, ordered[rank - 1], ordered[count - rank])

for count, seed in ((1, 1), (5, 1), (12, 7), (13, 8)):
    values = rng.normal(size=count)
    numbers = split_mix(seed)
    drawn = [resampled_trimmed_mean(values, numbers) for _ in range(2000)]
    case("bootstrap", values, [], seed, *np.quantile(drawn, (0.025, 0.975)))
    other = rng.normal(size=count + 3)
    numbers = split_mix(seed)
    drawn = [
        resampled_median(values, numbers) - resampled_median(other, numbers) for _ in range(2000)
    ]
    case("bootstrap difference", values, other, seed, *np.quantile(drawn, (0.025, 0.975)))

for count in (1, 2, 5, 6, 12, 20, 50):
    values = rng.normal(0.4, 1, count)
    case("sign flip", values, [], "", stats.wilcoxon(values, mode="exact").pvalue)
for count in (3, 6, 9, 13):
    values = np.round(rng.normal(0.5, 1, count) * 2) / 2
    if any(values):
        case("sign flip", values, [], "", counted_sign_flip(values))

for left, right in ((1, 1), (3, 4), (6, 6), (10, 12), (20, 20), (40, 60)):
    first, second = rng.normal(0.5, 1, left), rng.normal(0, 1, right)
    found = stats.mannwhitneyu(first, second, method="exact")
    case("mann-whitney", first, second, "", found.statistic, found.pvalue)
for left, right in ((60, 70), (200, 150)):
    for scale in (1e9, 4):
        first = np.round(rng.normal(0.2, 1, left) * scale) / scale
        second = np.round(rng.normal(0, 1, right) * scale) / scale
        found = stats.mannwhitneyu(first, second, method="asymptotic", use_continuity=True)
        case("mann-whitney", first, second, "", found.statistic, found.pvalue)
for left, right in ((2, 3), (4, 4), (6, 8), (9, 5)):
    first, second = rng.integers(0, 5, left), rng.integers(1, 6, right)
    case("mann-whitney", first, second, "", *counted_mann_whitney(first, second))

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
