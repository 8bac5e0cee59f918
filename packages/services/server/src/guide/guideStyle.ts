import { pageStyle } from "./pageFrame.js";

/** The style sheet of all pages: readable in light and dark, on a telephone and on paper. */
export const guideStyle = `${pageStyle}
main, nav.contents { margin: 0 auto; padding: 0 24px; max-width: 56rem; }
main { padding-bottom: 4rem; font-size: 16px; }
nav.contents { padding-top: 1rem; }
nav.contents ul { margin: 0; padding: 0; list-style: none; columns: 14rem; font-size: 0.9rem; }
h1, h2, h3 { line-height: 1.2; letter-spacing: -0.02em; }
h2 { margin-top: 2.5rem; }
code { font: 0.88em/1.45 var(--mono); background: var(--raised); padding: 0.1em 0.25em; border-radius: 4px; overflow-wrap: anywhere; }
pre { background: var(--panel); padding: 0.75rem 1rem; overflow-x: auto; border: 1px solid var(--line); border-radius: 10px; }
pre code { padding: 0; background: none; overflow-wrap: normal; }
table { display: block; overflow-x: auto; border-collapse: collapse; }
th, td { padding: 0.35rem 0.6rem; border: 1px solid var(--line); text-align: left; vertical-align: top; }
@media (max-width: 640px) { main, nav.contents { padding-left: 16px; padding-right: 16px; } }
@media print { nav.contents { display: none; } }
`;
