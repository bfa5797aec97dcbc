"""The data that the pages draw: Plotly figures, and scenes for the browser components."""
