"""Text and data in other formats, brought into a store: what the user has, beside what ships with Sanshi.

One entrance: `load` takes files of one format (`FORMATS` names them) and adds them to a store, all or none.
Texts become lines of a work, each with a locator; a bilingual text gives its translation to the passages it
renders; a chart becomes its facts again.
"""

from __future__ import annotations

from loaders.loading import FORMATS, Loaded, load

__all__ = ["FORMATS", "Loaded", "load"]
