"""Text and data in other formats, brought into the graph."""
