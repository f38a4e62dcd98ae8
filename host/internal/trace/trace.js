"use strict";
// Without this script the file is one long page. With it one call is shown at a time: that of the fragment, of a click,
// or the next and the last one with the keys j and k or the arrows.
const links = [...document.querySelectorAll("nav a")];
const shown = () => links.findIndex(link => link.hasAttribute("aria-current"));

function show(at, focus) {
  const link = links[at];
  if (!link) return;
  for (const other of links) {
    const chosen = other === link;
    chosen ? other.setAttribute("aria-current", "true") : other.removeAttribute("aria-current");
    document.getElementById(other.hash.slice(1)).classList.toggle("chosen", chosen);
  }
  link.scrollIntoView({block: "nearest"});
  if (focus) link.focus();
}

function fromAddress() {
  const at = links.findIndex(link => link.hash === location.hash);
  show(at < 0 ? Math.max(shown(), 0) : at, false);
}

document.documentElement.classList.add("script");
addEventListener("hashchange", fromAddress);
addEventListener("keydown", event => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const inList = document.activeElement?.closest("nav");
  const step = {j: 1, k: -1, ...(inList ? {ArrowDown: 1, ArrowUp: -1} : {})}[event.key];
  if (!step) return;
  event.preventDefault();
  const next = links[shown() + step];
  if (next) {
    history.replaceState(null, "", next.hash);
    show(links.indexOf(next), true);
  }
});
addEventListener("click", event => {
  const pictures = event.target.closest("figure button")?.closest(".pictures");
  if (!pictures) return;
  const large = pictures.classList.toggle("large");
  for (const button of pictures.querySelectorAll("button")) button.setAttribute("aria-pressed", large);
});
fromAddress();
