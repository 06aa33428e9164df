"""Printing a page to PDF, with a browser of this machine and the page's own print style."""

import os
import shutil
import subprocess
from pathlib import Path

from ...runtime.errors import BadRequest
from ...runtime.temporary_files import TemporaryFolder

_NAMES = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "microsoft-edge",
    "msedge",
)
_PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
)
_QUIET = (
    "--headless",
    "--no-first-run",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-pdf-header-footer",
    "--run-all-compositor-stages-before-draw",
    "--virtual-time-budget=10000",
)
_SECONDS = 120


def find_browser() -> str:
    """The browser's program. Raises ``BadRequest`` without a browser."""
    wanted = os.environ.get("ASPGAMES_BROWSER")
    for name in (wanted,) if wanted else (*_NAMES, *_PLACES):
        if found := shutil.which(name):
            return found
    if wanted:
        raise BadRequest(f"ASPGAMES_BROWSER is {wanted!r}, but there is no such program")
    raise BadRequest(
        "there is no Chromium, Chrome or Edge to print with; print the page with another browser, "
        "or set ASPGAMES_BROWSER to the path of one of these"
    )


def print_page(page: str) -> bytes:
    """The PDF of a page. Raises ``BadRequest`` if the browser fails."""
    browser = find_browser()
    with TemporaryFolder() as folder:
        source, target = Path(folder, "book.html"), Path(folder, "book.pdf")
        source.write_text(page, encoding="utf-8")
        options = [*_QUIET, f"--user-data-dir={folder}/profile", f"--print-to-pdf={target}"]
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            options.append("--no-sandbox")  # required for root
        try:
            subprocess.run(
                [browser, *options, source.as_uri()],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=_SECONDS,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise BadRequest(f"{browser} can't print: {error}") from None
        if not target.exists():
            raise BadRequest(f"{browser} hasn't printed the page")
        return target.read_bytes()
