/** The mark of the explorer. */
export const pageMark =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#5b63f0"/><path d="M8.5 9.5 16 23 23.5 9.5" fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round"/><circle cx="8.5" cy="9.5" r="3.1" fill="#fff"/><circle cx="23.5" cy="9.5" r="3.1" fill="#fff"/><circle cx="16" cy="23" r="3.9" fill="#6ff0b8"/></svg>';

/** The entries of the explorer's header: a test compares them with `Frame.tsx`. */
const pages = [
  ["explorer/blocks", "Blocks"],
  ["explorer/deploys", "Deploys"],
  ["explorer/transfers", "Transfers"],
  ["explorer/accounts", "Accounts"],
  ["explorer/validators", "Validators"],
  ["explorer/registry", "Contracts"],
  ["explorer/statistics", "Statistics"],
  ["explorer/playground", "Playground"],
] as const;
const morePages = [
  ["explorer/epochs", "Epochs"],
  ["explorer/dag", "DAG"],
  ["explorer/state", "State"],
  ["explorer/network", "Network"],
  ["explorer/verification", "Verification"],
  ["guide/", "Guide"],
  ["docs", "API"],
  ["graphql", "GraphQL"],
] as const;

const icon = (path: string) =>
  `<svg width="18" height="18" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${path}</svg>`;
const themeIcon = icon(
  '<path class="sun" d="M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8Zm0-13v2m0 14v2M3 12h2m14 0h2M5.6 5.6 7 7m10 10 1.4 1.4m0-12.8L17 7M7 17l-1.4 1.4"/><path class="moon" d="M20 14.5A8 8 0 0 1 9.5 4a8 8 0 1 0 10.5 10.5Z"/>',
);
const menuIcon = icon('<path d="M4 7h16M4 12h16M4 17h16"/>');

/**
 * The header of the pages beside the explorer: the explorer's own entries, search, and switch of colors.
 *
 * @param root    where the node's addresses begin, as seen from the page: `/`, or `./../`
 * @param current the page's own name among the entries
 */
export function pageHeader(root: string, current: "Guide" | "API" | "GraphQL"): string {
  const linkOf = ([path, name]: readonly [string, string]) =>
    `<a href="${root}${path}"${name === current ? ' aria-current="page"' : ""}>${name}</a>`;
  return `<header class="top"><div class="top-row"><a class="brand" href="${root}" aria-label="Vedette, home">${pageMark}<span>Vedette</span></a>
<nav class="nav" id="nav" aria-label="Pages">${pages.map(linkOf).join("")}<details class="more-pages"><summary aria-current="page">More</summary><div>${morePages.map(linkOf).join("")}</div></details></nav>
<form class="site-search" role="search" action="${root}explorer/search"><input name="q" aria-label="Search the chain" placeholder="Search the chain" autocomplete="off" spellcheck="false" maxlength="600" required></form>
<button type="button" class="icon-button" id="theme" hidden>${themeIcon}</button>
<button type="button" class="icon-button menu-button" id="menu" aria-label="Menu" aria-expanded="false" aria-controls="nav">${menuIcon}</button></div></header>`;
}

/** The explorer's fonts, from its own files, so that a browser that was there has them already. */
const fonts = [
  ["Inter", 900, "inter"],
  ["JetBrains Mono", 800, "jetbrains-mono"],
].map(
  ([family, boldest, file]) =>
    `@font-face { font-family: "${family}"; font-display: swap; font-weight: 100 ${boldest}; src: url("/explorer/assets/${file}-latin-wght-normal.woff2") format("woff2"); }\n`,
);

/** The explorer's fonts and colors, light and dark, and the style of {@link pageHeader}. */
export const pageStyle = `${fonts.join("")}:root { color-scheme: light dark;
  --bg: light-dark(#f5f6f9, #0a0c11); --panel: light-dark(#ffffff, #11141b); --raised: light-dark(#f3f4f8, #181c26);
  --line: light-dark(#e2e5ec, #212735); --line-strong: light-dark(#c9cedb, #343c4f); --text: light-dark(#11151d, #e9ecf3);
  --muted: light-dark(#565f70, #98a2b6); --accent: light-dark(#4149d6, #9aa3ff); --accent-soft: light-dark(#ecedff, #1d2145);
  --on-accent: light-dark(#ffffff, #0b0d1c);
  --sans: "Inter", system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
  --mono: "JetBrains Mono", ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
:root[data-theme="light"] { color-scheme: light; }
:root[data-theme="dark"] { color-scheme: dark; }
* { box-sizing: border-box; }
html { scrollbar-gutter: stable; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--bg); color: var(--text); font: 400 15px/1.55 var(--sans); }
a { color: var(--accent); }
a:focus-visible, button:focus-visible, summary:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.top { position: relative; z-index: 20; border-bottom: 1px solid var(--line); background: var(--bg); }
.top-row { display: flex; gap: 20px; align-items: center; max-width: 1240px; min-height: 60px; margin: 0 auto; padding: 0 24px; }
.top .brand { display: flex; gap: 10px; align-items: center; color: var(--text); font-size: 17px; font-weight: 680; letter-spacing: -0.02em; text-decoration: none; }
.nav { display: flex; gap: 2px; }
.nav a, .more-pages summary { padding: 6px 10px; border-radius: 8px; color: var(--muted); font-size: 14px; font-weight: 500; line-height: 1.55; text-decoration: none; white-space: nowrap; }
.more-pages summary { list-style: none; cursor: pointer; }
.more-pages summary::-webkit-details-marker { display: none; }
.more-pages summary::after { content: " ▾"; }
.more-pages[open] > div { position: absolute; display: grid; min-width: 150px; margin-top: 6px; padding: 6px; border: 1px solid var(--line); border-radius: 12px; background: var(--panel); }
.nav a:hover { background: var(--raised); color: var(--text); }
.nav a[aria-current], .more-pages summary[aria-current] { background: var(--accent-soft); color: var(--accent); }
.site-search { flex: 1; min-width: 120px; max-width: 460px; margin: 0 0 0 auto; }
.site-search input { width: 100%; height: 38px; min-height: 0; padding: 0 12px; border: 1px solid var(--line); border-radius: 10px; background: var(--panel); color: var(--text); font: 14px var(--sans); text-overflow: ellipsis; }
.site-search input::placeholder { color: var(--muted); opacity: 1; }
.top .icon-button { display: inline-grid; place-items: center; flex: none; width: 36px; height: 36px; min-height: 0; padding: 0; border: 0; border-radius: 10px; background: none; color: var(--muted); cursor: pointer; }
.top .icon-button[hidden], .top .menu-button, :root[data-theme="dark"] .moon, :root[data-theme="light"] .sun { display: none; }
.top .icon-button:hover { background: var(--raised); color: var(--text); }
@media (max-width: 1240px) {
  .top-row { flex-wrap: wrap; gap: 10px; padding: 10px 16px; }
  .nav { flex-wrap: wrap; order: 9; width: 100%; }
  :root[data-theme] .menu-button { display: inline-grid; }
  :root[data-theme] .nav { display: none; }
  :root[data-theme] .nav.open { display: grid; grid-template-columns: repeat(2, 1fr); gap: 4px; }
  .nav.open a, .nav.open summary { padding: 12px; font-size: 15px; }
  .nav.open .more-pages { grid-column: 1 / 3; }
  .nav.open .more-pages[open] > div { position: static; grid-template-columns: repeat(2, 1fr); border: 0; }
}
@media (max-width: 640px) { .top .brand span { display: none; } }
@media print { .top { display: none; } }
`;

/**
 * Applies the colors that the reader chose, here or in the explorer (`theme.ts` there); without a choice those of the
 * system. Opens the menu of narrow windows.
 */
export const frameScript = `{
const system = matchMedia("(prefers-color-scheme: light)");
const ofSystem = () => (system.matches ? "light" : "dark");
let unkept = null;
const chosen = () => {
  let kept = unkept;
  try { kept = localStorage.getItem("vedette-theme") ?? unkept; } catch {}
  return kept === "light" || kept === "dark" ? kept : ofSystem();
};
const other = () => (chosen() === "dark" ? "light" : "dark");
const apply = () => {
  document.documentElement.dataset.theme = chosen();
  const button = document.getElementById("theme");
  if (!button) return;
  button.hidden = false;
  button.title = "Use " + other() + " colors";
  button.setAttribute("aria-label", button.title);
};
apply();
system.addEventListener("change", apply);
document.addEventListener("DOMContentLoaded", () => {
  apply();
  document.getElementById("theme").addEventListener("click", () => {
    const theme = other();
    const isOfSystem = theme === ofSystem();
    try {
      if (isOfSystem) localStorage.removeItem("vedette-theme");
      else localStorage.setItem("vedette-theme", theme);
    } catch { unkept = isOfSystem ? null : theme; }
    apply();
  });
  const menu = document.getElementById("menu");
  menu.addEventListener("click", () => menu.setAttribute("aria-expanded", document.getElementById("nav").classList.toggle("open")));
});
}`;
