"""Everything Rulewright says to a designer: one record, one register of codes, four renderers.

Anyone may import this package; it imports only `dsl.source`. `record` is what passes fill,
`registry` knows the codes, `render` prints, `suggest` finds the word that was meant.

To add a code, take the next free number of its area (`registry.AREAS`) and write its page,
`pages/<code>.md`, before raising it:

- line 1: `# <code> Title`, the title being a short sentence part without a full stop;
- a paragraph or two that say what the message means, in the designer's words;
- `## Why`, what goes wrong without the rule;
- `## Bad` and `## Good`, each with one fenced example, as small as it can be. The fence says what
  it is (`yaml`, `rules`, `text`). A character that can't be seen is written `<U+200B>`.

Nothing else has to be registered. Tests fail for a code in the source without a page, for a page
that no source mentions and, for the areas whose pass takes a single text, for a bad example that
does not raise its own code or a good one that raises anything.
"""

from __future__ import annotations

from dsl.diagnostics.record import Bag, Diagnostic, Edit, Fix, Label, Severity
from dsl.diagnostics.registry import explain
from dsl.diagnostics.suggest import suggest

__all__ = ["Bag", "Diagnostic", "Edit", "Fix", "Label", "Severity", "explain", "suggest"]
