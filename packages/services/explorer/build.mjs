// Builds the site into dist/site, with every file compressed beside it, unless nothing that it is made of has changed.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { filesBelow, hashOfFiles } from "../../../scripts/filesHash.mjs";

const own = fileURLToPath(new URL(".", import.meta.url));
const root = join(own, "../../..");
const site = join(own, "dist/site");
const stamp = join(own, "dist/site.stamp");
/** Packages with compiled modules that may be in the site. */
const bundled = [
  ...["errors", "crypto", "protocol", "terms", "store", "tuplespace", "rholang", "execution", "chain"].map(
    (name) => `core/${name}`,
  ),
  ...["api", "client", "language", "light"].map((name) => `services/${name}`),
];

const state = hashOfFiles(inputs());
if (existsSync(site) && existsSync(stamp) && readFileSync(stamp, "utf8") === state) process.exit(0);
// A test that has this built has another environment.
process.env["NODE_ENV"] = "production";
const { build } = await import("vite");
await build({ configFile: join(own, "vite.config.ts"), logLevel: "error" });
compress();
writeFileSync(stamp, state);

function inputs() {
  const isTest = (path) => /\.test\.(tsx?|js)$/.test(path);
  return [
    join(root, "package-lock.json"),
    ...["index.html", "vite.config.ts", "build.mjs", "package.json"].map((name) => join(own, name)),
    ...filesBelow(join(own, "src")),
    // The programs of a first state come with the interpreter.
    ...filesBelow(join(root, "contracts/dist")),
    ...bundled.map((name) => join(root, "packages", name, "package.json")),
    ...bundled.flatMap((name) =>
      filesBelow(join(root, "packages", name, "dist")).filter((path) => path.endsWith(".js")),
    ),
  ].filter((path) => !isTest(path));
}

/** Compresses each file once, so that the server need not do it for every request. */
function compress() {
  for (const path of filesBelow(site)) {
    if (/\.woff2$/.test(path)) continue;
    const bytes = readFileSync(path);
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
    writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params }));
    writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
  }
}
