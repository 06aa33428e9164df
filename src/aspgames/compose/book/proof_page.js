"use strict";

// The page of one proof.
(() => {
  const data = JSON.parse(get("data").textContent);
  document.querySelector(".controls").hidden = !data.strategies.length;
  playProof(data, playerOf(data), true);
})();
