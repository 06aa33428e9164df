"use strict";

// The page of one proof.
(() => {
  const data = JSON.parse(get("data").textContent);
  document.querySelector(".controls").hidden = !data.strategies.length;
  const player = playerOf(data);
  playProof(data, player, engineOf(data, 0, player), true);
})();
