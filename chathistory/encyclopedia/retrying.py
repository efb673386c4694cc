"""When to ask a site again, and after how long."""

from __future__ import annotations

from email.utils import parsedate_to_datetime

import requests
from urllib3.exceptions import TimeoutError as TransportTimeout

TRIES = 4
"""How often one request is tried in all."""


def retry_after(value: str | None, now: float) -> float | None:
    """Return the seconds that a Retry-After header asks for, None when there is none that can be read.

    Parameters
    ----------
    value
        Seconds, or an HTTP date.
    now
        The time in seconds since the epoch, for dates.
    """
    if not value:
        return None
    text = value.strip()
    if text.isascii() and text.isdigit():
        return float(text)
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - now)
    except (TypeError, ValueError):
        return None


def is_timeout(error: requests.RequestException) -> bool:
    """Whether a request failed for want of time: to connect, or between two pieces of the body."""
    if isinstance(error, requests.Timeout):
        return True
    return any(isinstance(cause, TransportTimeout) for cause in (*error.args, error.__cause__, error.__context__))
