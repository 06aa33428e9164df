"""Why a move is legal or not, why a game is over, why a side has its goal.

An explanation is found in three steps, each a grounding of its own: the instances of rules on which
the question may depend (``relevant``), the smallest choice among them that settles it
(``smallest``), and the encoding's sentences for what was chosen (``sentences``). xclingo, too, has
sentences beside the rules, but explains only what holds, and clingexplaid finds minimal sets of
facts, but only of those that hold, and without the rules between; "nothing stands there" is the
most usual reason of all.
"""

from __future__ import annotations

from .explainer import Explainer
from .explanation import Explanation, Reason

__all__ = ["Explainer", "Explanation", "Reason"]
