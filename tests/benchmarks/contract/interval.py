"""Wilson's interval: how far a share of successes may be from the truth, for few cases and for shares near 0 and 1."""

from math import sqrt

_Z = 1.96  # 95 %


def wilson(good: int, of: int) -> tuple[float, float]:
    """The share's 95 % interval."""
    if not of:
        return 0.0, 1.0
    share = good / of
    middle = share + _Z**2 / (2 * of)
    reach = _Z * sqrt(share * (1 - share) / of + _Z**2 / (4 * of**2))
    whole = 1 + _Z**2 / of
    return max(0.0, (middle - reach) / whole), min(1.0, (middle + reach) / whole)
