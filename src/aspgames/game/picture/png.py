"""SVG pictures as PNG."""

from ...runtime.call_arguments import optional_package


def png_of(svg: str) -> bytes:
    """The PNG of an SVG picture, in the size of the SVG.

    Letters need a font on the system. Raises ``BadRequest`` if the package ``resvg-py`` is missing.
    """
    resvg = optional_package("resvg_py", "PNG", "aspgames[png]")
    return bytes(resvg.svg_to_bytes(svg_string=svg))
