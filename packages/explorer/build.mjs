// Builds the site into dist/site, with every file compressed beside it, unless nothing that it is made of has changed.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const own = fileURLToPath(new URL(".", import.meta.url));
const root = join(own, "../..");
const site = join(own, "dist/site");
const stamp = join(own, "dist/site.stamp");
/** Packages whose compiled modules may be in the site. */
const bundled = ["errors", "crypto", "protocol", "terms", "api", "client", "tuplespace", "rholang", "language", "lsp"];

const state = hashOfInputs();
if (existsSync(site) && existsSync(stamp) && readFileSync(stamp, "utf8") === state) process.exit(0);
const { build } = await import("vite");
await build({ configFile: join(own, "vite.config.ts"), logLevel: "error" });
compress();
writeFileSync(stamp, state);

function hashOfInputs() {
  const hash = createHash("sha256");
  const add = (path) => hash.update(path.slice(root.length)).update(readFileSync(path));
  for (const name of ["package-lock.json"]) add(join(root, name));
  for (const name of ["index.html", "vite.config.ts", "build.mjs", "package.json"]) add(join(own, name));
  for (const path of filesBelow(join(own, "src"))) if (!/\.test\.tsx?$/.test(path)) add(path);
  for (const name of bundled)
    for (const path of filesBelow(join(root, "packages", name, "dist"))) if (path.endsWith(".js")) add(path);
  return hash.digest("hex");
}

function filesBelow(folder) {
  const entries = readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name)));
  return entries.filter((path) => statSync(path).isFile()).sort();
}

/** What is compressed once need not be compressed for everybody who asks. */
function compress() {
  for (const path of filesBelow(site)) {
    if (/\.woff2$/.test(path)) continue;
    const bytes = readFileSync(path);
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
    writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params }));
    writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
  }
}
