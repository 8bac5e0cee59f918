import { pageStyle } from "../../guide/index.js";

export const docsStyle = `${pageStyle}
[hidden] { display: none !important; }
.sides { display: grid; grid-template-columns: 300px minmax(0, 1fr); max-width: 1240px; margin: 0 auto; }
main { padding: 24px 24px 64px; min-width: 0; }
nav.routes { position: sticky; top: 0; max-height: 100vh; padding: 24px 0 24px 24px; overflow-y: auto; font-size: 13px; }
nav.routes ul { margin: 0; padding: 0; list-style: none; }
nav.routes summary { padding: 4px 0; font-weight: 600; }
nav.routes > details > ul > li { margin-bottom: 12px; }
nav.routes a { display: block; padding: 4px 8px; border-radius: 6px; color: var(--muted); text-decoration: none; overflow-wrap: anywhere; }
nav.routes > details > ul > li > a { color: var(--text); font-weight: 600; }
nav.routes a:hover { background: var(--raised); color: var(--text); }
nav.routes b { font-size: 11px; }
h1, h2, h3 { line-height: 1.2; letter-spacing: -0.02em; }
h1 { margin: 0 0 12px; font-size: 26px; } h2 { margin: 40px 0 8px; font-size: 20px; } h3 { margin: 20px 0 8px; font-size: 15px; }
summary { cursor: pointer; line-height: 24px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
code { font: 0.9em/1.45 var(--mono); overflow-wrap: anywhere; }
pre { margin: 8px 0; padding: 12px; max-height: 420px; overflow: auto; border: 1px solid var(--line); border-radius: 10px; background: var(--raised); font: 13px/1.5 var(--mono); white-space: pre-wrap; overflow-wrap: anywhere; }
dt { font-weight: 600; } dd { margin: 0 0 8px; }
.route { margin: 8px 0; border: 1px solid var(--line); border-radius: 10px; background: var(--panel); }
.route > summary { padding: 9px 14px; overflow-wrap: anywhere; }
.route > summary span { color: var(--muted); }
.inner { padding: 0 14px 14px; border-top: 1px solid var(--line); }
.method { display: inline-block; min-width: 48px; padding: 0 7px; border-radius: 6px; background: var(--accent-soft); color: var(--accent); font-size: 12px; text-align: center; }
.members { margin: 4px 0; padding-left: 14px; border-left: 1px solid var(--line); list-style: none; font-size: 14px; }
.members li { margin: 6px 0; } .members p { margin: 0; color: var(--muted); overflow-wrap: anywhere; }
.kind a, .kind { font-size: 13px; } .kind { color: var(--text); } .bounds { color: var(--muted); font-size: 13px; }
.find { display: grid; gap: 6px; max-width: 460px; } .find p { margin: 0; min-height: 1.5em; color: var(--muted); font-size: 13px; }
label { font-size: 13px; font-weight: 550; }
input, textarea { width: 100%; min-height: 38px; padding: 7px 12px; border: 1px solid var(--line-strong); border-radius: 10px; background: var(--panel); color: var(--text); font: 14px/1.5 var(--sans); }
.try { display: grid; gap: 6px; margin-top: 20px; padding-top: 4px; border-top: 1px solid var(--line); }
.try input, .try textarea { font: 13px/1.5 var(--mono); } .try p { margin: 0; }
button { min-height: 36px; padding: 0 14px; border: 1px solid var(--line-strong); border-radius: 10px; background: var(--panel); color: var(--text); font: 550 14px var(--sans); cursor: pointer; }
button[type="submit"] { border-color: transparent; background: var(--accent); color: var(--on-accent); }
@media (max-width: 900px) {
  .sides { grid-template-columns: minmax(0, 1fr); }
  nav.routes { position: static; max-height: none; padding: 16px 16px 0; }
  main { padding: 16px 16px 48px; }
}
@media print { nav.routes, .find, .try { display: none; } }
`;
