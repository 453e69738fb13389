"""Tables as Markdown."""

from collections.abc import Iterable, Sequence


def markdown(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Lay out a Markdown table."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(
        "| " + " | ".join(str(cell).replace("|", "\\|") for cell in line) + " |" for line in lines
    )


def wide(heads: Sequence[str], rows: Iterable[Sequence[object]], look: str = "numbers") -> str:
    """Lay out a table whose look the style sheet has."""
    return f'<div class="{look}">\n\n{markdown(heads, rows)}\n\n</div>'
