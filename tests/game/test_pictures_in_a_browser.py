"""Pictures where browsers draw them: in notebooks, light and dark."""

import base64
from typing import Any

import pytest

import aspgames
from colours import corner

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("system", ["light", "dark"])
@pytest.mark.parametrize("notebook", ["light", "dark"])
def test_a_notebook_shows_boards_in_its_own_theme(browser: Any, system: str, notebook: str) -> None:
    """JupyterLab puts pictures in ``img`` and says on the page how dark its theme is."""
    svg = aspgames.load("skirmish").initial._repr_svg_()
    page = browser.new_page(color_scheme=system)
    picture = base64.b64encode(svg.encode()).decode()
    page.set_content(
        f'<body style="color-scheme: {notebook}"><img src="data:image/svg+xml;base64,{picture}">'
    )
    drawn = sum(corner(page.locator("img")))
    page.close()
    assert drawn < 150 if notebook == "dark" else drawn > 600
