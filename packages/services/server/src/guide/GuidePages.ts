import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { absentPage, type GuidePage, renderPage } from "./renderPage.js";

/**
 * The rights of a page in a browser: show it with the one style sheet and the header's script, and send a search to the
 * explorer.
 */
export const guidePolicy =
  "default-src 'none'; style-src 'self'; font-src 'self'; script-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

const docsFolder = fileURLToPath(new URL("../../../../../docs", import.meta.url));
/** Documents elsewhere that have a page: path in the checkout → where it is. */
const others: readonly (readonly [path: string, file: string])[] = [
  ["README.md", fileURLToPath(new URL("../../../../../README.md", import.meta.url))],
  ["contracts/README.md", fileURLToPath(new URL("../../../../../contracts/README.md", import.meta.url))],
];

/**
 * The documents of this version as pages. `docs/README.md` is the first (the empty name), `docs/how-to/dev.md` has the
 * name `how-to/dev`, `contracts/README.md` the name `contracts/readme`. Notes of what is being worked on have none.
 */
export class GuidePages {
  readonly #files = new Map<string, { readonly path: string; readonly file: string }>();
  readonly #pages = new Map<string, GuidePage>();

  /** @param folder with the documents; one that is not there has no pages */
  constructor(folder = docsFolder) {
    if (!existsSync(folder)) return;
    const found = readdirSync(folder, { recursive: true, encoding: "utf8" })
      .map((name) => name.replaceAll("\\", "/"))
      .filter((name) => name.endsWith(".md"))
      .map((name) => [`docs/${name}`, join(folder, name)] as const);
    for (const [path, file] of [...found, ...others])
      if (existsSync(file)) this.#files.set(nameOf(path), { path, file });
  }

  /** Names of all pages. */
  get names(): readonly string[] {
    return [...this.#files.keys()];
  }

  /**
   * @param name of a page; what is none is looked up in a table, never on the disk
   * @cost reads and renders the document at the first call
   */
  page(name: string): GuidePage | undefined {
    const known = this.#pages.get(name);
    const document = this.#files.get(name);
    if (known !== undefined || document === undefined) return known;
    const page = renderPage(readFileSync(document.file, "utf8"), {
      name,
      path: document.path,
      nameOf: (path) => (this.#files.has(nameOf(path)) ? nameOf(path) : undefined),
    });
    this.#pages.set(name, page);
    return page;
  }

  /** Returns the page for an unknown address. @param path behind `/guide/`, as in the address */
  absent(path: string): GuidePage {
    return absentPage(path);
  }
}

/** The page's name of a document of the checkout. */
function nameOf(path: string): string {
  if (path === "docs/README.md") return "";
  return path
    .replace(/^docs\//, "")
    .replace(/README\.md$/, "readme")
    .replace(/\.md$/, "");
}
