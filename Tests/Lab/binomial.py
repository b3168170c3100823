"""Formats shares and their exact intervals."""
import math


def percent(share):
    return f"{share:.1%}".replace("%", " %")


def interval(count, of):
    """The exact 95 % interval of a share (Clopper and Pearson 1934), found by bisection."""
    def bound(holds):
        low, high = 0.0, 1.0
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (low, middle) if holds(middle) else (middle, high)
        return high

    def at_most(number, chance):
        return sum(math.comb(of, one) * chance**one * (1 - chance)**(of - one) for one in range(number + 1))
    low = bound(lambda chance: 1 - at_most(count - 1, chance) >= 0.025) if count else 0
    high = bound(lambda chance: at_most(count, chance) < 0.025) if count < of else 1
    return f"{percent(low)}–{percent(high)}"
