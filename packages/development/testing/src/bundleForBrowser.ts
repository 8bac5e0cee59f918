import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

/** The code that a page would load. */
export interface BrowserBundle {
  readonly code: string;
  readonly bytes: number;
  readonly gzipBytes: number;
  /** Modules that no bundler can resolve in a browser. */
  readonly imports: readonly string[];
}

/** As much of rolldown as is used. It comes with vitest, so nothing else has to be installed. */
interface Bundler {
  rolldown(options: object): Promise<{
    generate(options: object): Promise<{ readonly output: readonly { code: string; imports: string[] }[] }>;
  }>;
}

/**
 * Bundles some exports of a package for a page, as `globalThis.vedette`.
 *
 * @param index the package's compiled `index.js`
 * @param names `*` for all of them
 */
export async function bundleForBrowser(index: URL, ...names: readonly string[]): Promise<BrowserBundle> {
  const fromVitest = createRequire(createRequire(import.meta.url).resolve("vitest/package.json"));
  const { rolldown } = (await import(fromVitest.resolve("rolldown"))) as Bundler;
  const what = names[0] === "*" ? "*" : `{ ${names.join(", ")} }`;
  const entry = {
    name: "entry",
    resolveId: (id: string) => (id === "entry" ? "\0entry" : undefined),
    load: (id: string) =>
      id === "\0entry" ? `export ${what} from ${JSON.stringify(fileURLToPath(index))};` : undefined,
  };
  const bundle = await rolldown({
    input: "entry",
    platform: "browser",
    // Names of Node's own modules stay as they are, and are found by the test.
    resolve: { conditionNames: ["browser", "import", "default"] },
    plugins: [entry],
  });
  const { output } = await bundle.generate({ format: "iife", name: "vedette", minify: true });
  const code = output.map((chunk) => chunk.code).join("\n");
  const imports = output.flatMap((chunk) => chunk.imports);
  return { code, bytes: code.length, gzipBytes: gzipSync(code).length, imports };
}
