/** The mark of the explorer. */
export const pageMark =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#5b63f0"/><path d="M8.5 9.5 16 23 23.5 9.5" fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round"/><circle cx="8.5" cy="9.5" r="3.1" fill="#fff"/><circle cx="23.5" cy="9.5" r="3.1" fill="#fff"/><circle cx="16" cy="23" r="3.9" fill="#6ff0b8"/></svg>';

const pages = [
  ["explorer/blocks", "Blocks"],
  ["explorer/deploys", "Deploys"],
  ["explorer/transfers", "Transfers"],
  ["explorer/accounts", "Accounts"],
  ["explorer/validators", "Validators"],
  ["explorer/playground", "Playground"],
  ["guide/", "Guide"],
  ["docs", "API"],
  ["graphql", "GraphQL"],
] as const;

/**
 * What stands above every page that is none of the explorer's: the way back to it, and to the others.
 *
 * @param root    where the node's addresses begin, as seen from the page: `/`, or `./../`
 * @param current the page's own name among them
 */
export function pageHeader(root: string, current: "Guide" | "API" | "GraphQL"): string {
  const links = pages.map(
    ([path, name]) => `<a href="${root}${path}"${name === current ? ' aria-current="page"' : ""}>${name}</a>`,
  );
  return `<header class="top"><a class="brand" href="${root}" aria-label="Vedette, home">${pageMark}<span>Vedette</span></a><nav aria-label="Pages">${links.join("")}</nav></header>`;
}

/** The explorer's colours, light and dark, and the style of {@link pageHeader}. */
export const pageStyle = `:root { color-scheme: light dark;
  --bg: light-dark(#f5f6f9, #0a0c11); --panel: light-dark(#ffffff, #11141b); --raised: light-dark(#f3f4f8, #181c26);
  --line: light-dark(#e2e5ec, #212735); --line-strong: light-dark(#c9cedb, #343c4f); --text: light-dark(#11151d, #e9ecf3);
  --muted: light-dark(#565f70, #98a2b6); --accent: light-dark(#4149d6, #9aa3ff); --accent-soft: light-dark(#ecedff, #1d2145);
  --on-accent: light-dark(#ffffff, #0b0d1c);
  --sans: "Inter", system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
  --mono: "JetBrains Mono", ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
:root[data-theme="light"] { color-scheme: light; }
:root[data-theme="dark"] { color-scheme: dark; }
* { box-sizing: border-box; }
body { margin: 0; background: var(--bg); color: var(--text); font: 400 15px/1.55 var(--sans); }
a { color: var(--accent); }
a:focus-visible, button:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.top { display: flex; gap: 20px; align-items: center; height: 60px; padding: 0 24px; border-bottom: 1px solid var(--line); background: var(--bg); }
.top .brand { display: flex; gap: 10px; align-items: center; color: var(--text); font-size: 17px; font-weight: 680; letter-spacing: -0.02em; text-decoration: none; }
.top nav { display: flex; gap: 2px; overflow-x: auto; }
.top nav a { padding: 6px 10px; border-radius: 8px; color: var(--muted); font-size: 14px; font-weight: 500; text-decoration: none; white-space: nowrap; }
.top nav a:hover { background: var(--raised); color: var(--text); }
.top nav a[aria-current] { background: var(--accent-soft); color: var(--accent); }
@media (max-width: 640px) { .top { gap: 10px; padding: 0 16px; } .top .brand span { display: none; } }
@media print { .top { display: none; } }
`;

/** Gives a page the colours that the reader chose in the explorer; without a choice they are the system's. */
export const themeScript = `try{const t=localStorage.getItem("vedette-theme");if(t==="light"||t==="dark")document.documentElement.dataset.theme=t}catch{}`;
