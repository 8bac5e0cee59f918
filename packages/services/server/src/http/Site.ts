import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { extname, join } from "node:path";

/** A file of a site, ready to be sent. */
export interface SiteFile {
  readonly type: string;
  /** Weak: each encoding has other bytes. */
  readonly tag: string;
  readonly plain: Uint8Array;
  /** Compressed beforehand; absent where that wins nothing. */
  readonly br?: Uint8Array;
  readonly gzip?: Uint8Array;
}

/** A static site, all in memory. */
export interface Site {
  /** Path below the site's folder, with `/` in front. */
  readonly files: ReadonlyMap<string, SiteFile>;
  /** Whether a path is one of the pages, for which `/index.html` is sent. */
  readonly isPage: (path: string) => boolean;
  /** Origin of a node that takes the deploys of the pages; `undefined` for this node. */
  readonly validator?: string | undefined;
  /** Origin of the routes for development; `undefined` on every chain that is not for it. */
  readonly development?: string | undefined;
  /** The operator's names for accounts, by address or public key. */
  readonly labels?: Readonly<Record<string, string>>;
}

const types: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=UTF-8",
  ".html": "text/html; charset=UTF-8",
  ".js": "text/javascript; charset=UTF-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};

/** Most that a site may have: it is kept in memory. */
const maxBytes = 32 << 20;

/**
 * Reads a site with the compressed files that lie beside its own.
 *
 * @returns `undefined` where no site has been built
 * @throws {Error} a file of a type that has no name here, or a site too large to keep
 */
export function readSite(folder: string, isPage: (path: string) => boolean): Site | undefined {
  if (!existsSync(join(folder, "index.html"))) return undefined;
  const names = readdirSync(folder, { recursive: true }).map((name) => String(name).replaceAll("\\", "/"));
  const files = new Map<string, SiteFile>();
  let bytes = 0;
  for (const name of names) {
    const path = join(folder, name);
    const isCompressed = /\.(br|gz)$/.test(name);
    if (isCompressed || !statSync(path).isFile()) continue;
    const type = types[extname(name)];
    if (type === undefined) throw new Error(`${path} is of no type that a site may have`);
    const file = readFile(path, type);
    bytes += file.plain.length;
    if (bytes > maxBytes) throw new Error(`${folder} has more than ${maxBytes} bytes`);
    files.set(`/${name}`, file);
  }
  return { files, isPage };
}

function readFile(path: string, type: string): SiteFile {
  const plain = readFileSync(path);
  const beside = (end: string) => (existsSync(path + end) ? readFileSync(path + end) : undefined);
  const [br, gzip] = [beside(".br"), beside(".gz")];
  const tag = `W/"${createHash("sha256").update(plain).digest("base64url").slice(0, 22)}"`;
  return { type, tag, plain, ...(br !== undefined && { br }), ...(gzip !== undefined && { gzip }) };
}
