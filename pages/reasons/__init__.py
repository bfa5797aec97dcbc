"""The numbers in the reasons that the scenes give (``why`` in ``pages.content.scene``), computed from what the page shows."""
