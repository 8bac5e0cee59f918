/** The style sheet of all pages: readable in light and dark, on a telephone and on paper. */
export const guideStyle = `:root { color-scheme: light dark; --line: light-dark(#d8d8d8, #444); --code: light-dark(#f4f4f4, #222); }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 0 1rem 4rem; max-width: 52rem; font: 1rem/1.55 system-ui, sans-serif; }
header { padding: 0.75rem 0; border-bottom: 1px solid var(--line); }
header a { margin-right: 1rem; }
nav.contents ul { margin: 1rem 0; padding: 0; list-style: none; columns: 14rem; font-size: 0.9rem; }
h1, h2, h3 { line-height: 1.2; }
h2 { margin-top: 2.5rem; }
code { font: 0.9em/1.45 ui-monospace, monospace; background: var(--code); padding: 0.1em 0.25em; border-radius: 3px; overflow-wrap: anywhere; }
pre { background: var(--code); padding: 0.75rem 1rem; overflow-x: auto; border-radius: 4px; }
pre code { padding: 0; background: none; overflow-wrap: normal; }
table { display: block; overflow-x: auto; border-collapse: collapse; }
th, td { padding: 0.35rem 0.6rem; border: 1px solid var(--line); text-align: left; vertical-align: top; }
a:focus-visible { outline: 2px solid; outline-offset: 2px; }
@media print { header, nav.contents { display: none; } }
`;
