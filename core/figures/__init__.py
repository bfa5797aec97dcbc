"""What the pages draw, as data: Plotly figures, and scenes for the browser components."""
