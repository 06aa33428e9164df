"""What axe-core finds on pages."""

AXE_FOUND = """axe.run().then(({ violations }) => violations
  .filter(({ impact }) => ["serious", "critical"].includes(impact))
  .map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html.slice(0, 200))]))"""
"""A script for a page with axe-core: its serious findings, with the elements."""
