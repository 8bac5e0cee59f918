import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";

/** `vite` alone is a site that follows its sources; the node that it shows is named by VEDETTE_HTTP. */
const node = process.env["VEDETTE_HTTP"] ?? "http://127.0.0.1:40403";

/** Modules that are loaded with the page, before any other one is requested. */
const firstModules = new Map<string, boolean>();

/** Whether a module is imported, not on demand, by the page's own script. */
function isFirst(id: string, facts: ModuleFacts): boolean {
  const known = firstModules.get(id);
  if (known !== undefined) return known;
  // Circles end here.
  firstModules.set(id, false);
  const found = facts.getModuleInfo(id);
  const result = found?.isEntry === true || (found?.importers ?? []).some((one) => isFirst(one, facts));
  firstModules.set(id, result);
  return result;
}

interface ModuleFacts {
  getModuleInfo(id: string): { readonly isEntry: boolean; readonly importers: readonly string[] } | null;
}

/** Writes the style sheet into the page: for its first paint a browser then has to wait for one answer of the node only. */
function inlineStyles(): Plugin {
  return {
    name: "inline-styles",
    enforce: "post",
    transformIndexHtml: {
      order: "post",
      handler(html, { bundle }) {
        return html.replace(/<link rel="stylesheet"[^>]*href="\/([^"]+)">/, (_link, name: string) => {
          const sheet = bundle?.[name];
          if (sheet?.type !== "asset") throw new Error(`${name} is no style sheet of this build`);
          delete bundle![name];
          // Pages that are loaded later would wait for it otherwise.
          for (const part of Object.values(bundle!))
            if (part.type === "chunk") part.viteMetadata?.importedCss.delete(name);
          return `<style>${String(sheet.source).trim()}</style>`;
        });
      },
    },
  };
}

export default defineConfig({
  plugins: [inlineStyles()],
  root: fileURLToPath(new URL(".", import.meta.url)),
  // Relative to the page would break on addresses with several parts.
  base: "/",
  publicDir: false,
  resolve: {
    conditions: ["browser", "import", "default"],
    // React's interface at a fifteenth of its size; types are React's.
    alias: [
      { find: /^react(-dom)?$/, replacement: "preact/compat" },
      { find: "react-dom/client", replacement: "preact/compat/client" },
      { find: "react/jsx-runtime", replacement: "preact/jsx-runtime" },
    ],
  },
  build: {
    outDir: "dist/site",
    assetsDir: "explorer/assets",
    assetsInlineLimit: 0,
    emptyOutDir: true,
    target: "es2023",
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 2_000,
    rolldownOptions: {
      // Few files for the first page: a node that replays takes long for each request. Of packages only a part is used.
      output: {
        // The pages beside the explorer name its fonts, too (`pageFrame.ts` of the server).
        assetFileNames: ({ names: [name = ""] }) =>
          `explorer/assets/[name]${name.endsWith(".woff2") ? "" : "-[hash]"}[extname]`,
        codeSplitting: {
          groups: [
            {
              name: (id, facts) =>
                !/\/packages\/(?!services\/explorer\/)|noble/.test(id) && isFirst(id, facts) ? "first" : null,
            },
          ],
        },
      },
      // Marks for servers that render; here everything is the client's.
      onLog: (level, log, print) => {
        if (log.code !== "MODULE_LEVEL_DIRECTIVE") print(level, log);
      },
    },
  },
  worker: {
    format: "es",
    // The language comes with an interpreter, which the worker never runs: of what that would need, some is not for browsers.
    rolldownOptions: { shimMissingExports: true },
  },
  server: { proxy: { "^/(v2|api|status|blocks?|deploy|metrics|graphql)(/|$|\\?)": { target: node } } },
});
