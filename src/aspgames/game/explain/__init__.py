"""Why a move is legal or not, why a game is over, why a side has its goal.

Three groundings find an explanation: the instances of rules on which the question may depend
(``relevant_rules``), the smallest choice among them that settles it (``minimal_reasons``), and the
encoding's sentences for the choice (``explainer``). xclingo also puts sentences beside rules, but
explains only atoms that hold. clingexplaid finds minimal sets of facts that hold, without the rules
between. In games "nothing stands there" is the most frequent reason.
"""

from .explainer import Explainer
from .explanation import Explanation, Reason

__all__ = ["Explainer", "Explanation", "Reason"]
