import { posix } from "node:path";
import { Marked, type RendererObject, type Tokens } from "marked";
import { pageHeader } from "./pageFrame.js";

/** A page, ready to be sent. */
export interface GuidePage {
  readonly title: string;
  readonly html: string;
}

/** The place of a document among the others. */
export interface PageContext {
  /** The name of its page: `how-to/dev`. */
  readonly name: string;
  /** In the checkout: `docs/how-to/dev.md`. */
  readonly path: string;
  /** The page's name of a document of the checkout; `undefined` where it has none. */
  readonly nameOf: (path: string) => string | undefined;
}

/** Makes a page from a document in Markdown. @cost linear in the text */
export function renderPage(text: string, place: PageContext): GuidePage {
  const contents: string[] = [];
  const marked = new Marked({ renderer: rendererOf(place, contents) });
  // Scrolling parts must be reachable by keyboard.
  const body = marked.parse(text, { async: false }).replaceAll(/<(pre|table)>/g, '<$1 tabindex="0">');
  const title = /^# +(.+)$/m.exec(text)?.[1]?.replaceAll("`", "") ?? place.path;
  return { title, html: pageHtml(place.name, title, contents, body) };
}

function rendererOf(place: PageContext, contents: string[]): RendererObject {
  return {
    heading({ depth, tokens, text }) {
      const id = anchorOf(text);
      const inner = this.parser.parseInline(tokens);
      if (depth === 2) contents.push(`<li><a href="#${id}">${escapeHtml(text.replaceAll("`", ""))}</a></li>`);
      return `<h${depth} id="${id}">${inner}</h${depth}>\n`;
    },
    link({ href, tokens }) {
      const inner = this.parser.parseInline(tokens);
      const target = targetOf(href, place);
      return target === undefined ? inner : `<a href="${escapeHtml(target)}">${inner}</a>`;
    },
    image: ({ text }) => escapeHtml(text),
    html: ({ text }: Tokens.HTML | Tokens.Tag) => (text.startsWith("<!--") ? "" : escapeHtml(text)),
  };
}

/** Where a link of a document leads among pages; `undefined` where it leads to none. */
function targetOf(href: string, { name, path, nameOf }: PageContext): string | undefined {
  if (/^https?:\/\//.test(href) || href.startsWith("#")) return href;
  if (/^[a-z][a-z+.-]*:/i.test(href)) return undefined;
  const [file = "", anchor] = href.split("#", 2);
  const other = nameOf(posix.normalize(posix.join(posix.dirname(path), file)));
  if (other === undefined) return undefined;
  return `${upFrom(name)}${other}${anchor === undefined ? "" : `#${anchor}`}`;
}

/** From a page up to the first one; never empty. */
function upFrom(name: string): string {
  return `./${"../".repeat(name.split("/").length - 1)}`;
}

/** Anchor of a heading, as GitHub makes it. @param heading in Markdown */
export function anchorOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");
}

function pageHtml(name: string, title: string, contents: readonly string[], body: string): string {
  const up = upFrom(name);
  const list = contents.length < 3 ? "" : `<nav class="contents"><ul>${contents.join("")}</ul></nav>\n`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Vedette</title>
<link rel="stylesheet" href="${up}style.css">
<script src="${up}frame.js"></script>
</head>
<body>
${pageHeader(`${up}../`, "Guide")}
${list}<main>
${body}</main>
</body>
</html>
`;
}

/** Returns the page for an address without a document. @param path behind `/guide/`, as in the address */
export function absentPage(path: string): GuidePage {
  const up = upFrom(path);
  const title = "No such document";
  const body = `<h1>${title}</h1>
<p>No document of this version has this address. It may be mistyped, cut off, or of another version.</p>
<ul><li><a href="${up}">All documents</a></li><li><a href="${up}../docs">API of this node</a></li><li><a href="${up}../">Explorer</a></li></ul>
`;
  return { title, html: pageHtml(path, title, [], body) };
}

/** Returns text as HTML, also for attributes. */
export function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
