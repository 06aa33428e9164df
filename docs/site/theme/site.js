"use strict";

// Live boards have the colours that the reader has chosen for the site.
const colours = () => (document.body.dataset.mdColorScheme === "slate" ? "dark" : "light");
const tell = (frame) => frame.contentWindow?.postMessage({ aspgamesColours: colours() }, "*");
const boards = () => document.querySelectorAll("iframe.live");
document.addEventListener("load", ({ target }) => { if (target.matches?.("iframe.live")) tell(target); }, true);
new MutationObserver(() => boards().forEach(tell)).observe(document.body, { attributeFilter: ["data-md-color-scheme"] });

// Keys scroll a table that is too wide.
const focusTables = () => document.querySelectorAll(".md-typeset__scrollwrap").forEach((wrap) => {
  if (wrap.scrollWidth > wrap.clientWidth) wrap.tabIndex = 0;
  else wrap.removeAttribute("tabindex");
});
new MutationObserver(focusTables).observe(document.querySelector("main"), { childList: true, subtree: true });
addEventListener("resize", focusTables);
addEventListener("load", focusTables);
