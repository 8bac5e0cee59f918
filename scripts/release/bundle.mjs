import { isBuiltin } from "node:module";
import { relative } from "node:path";
import { rolldown } from "rolldown";
import { root, workspaces } from "./checkout.mjs";

/** The helpers that compiled modules call for newer JavaScript (`scripts/compile.mjs`): they go with the modules. */
const compilerHelpers = "@oxc-project/runtime";

/**
 * Bundles compiled workspaces.
 *
 * @param input name of an entry → its file
 * @param platform where it runs: "node" or "browser"
 * @param isOutside whether third-party code stays outside, by its name; left out: all of it does
 * @returns the folders of the workspaces that are in it
 */
export async function bundle({ input, folder, platform = "node", isOutside = () => true, plugins = [] }) {
  const build = await rolldown({
    input,
    platform,
    external: (id) => {
      const name = id
        .split("/")
        .slice(0, id.startsWith("@") ? 2 : 1)
        .join("/");
      if (isBuiltin(id)) return true;
      return /^[\w@]/.test(id) && !workspaces.has(name) && name !== compilerHelpers && isOutside(name);
    },
    plugins: [...plugins, latin1],
    onLog: (level, { message }) => {
      if (level === "warn") throw new Error(message);
    },
  });
  const { output } = await build.write({
    dir: folder,
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js",
    // Readers of comments have the checkout; types keep theirs.
    comments: { jsdoc: false },
  });
  await build.close();
  const entries = new Set(output.flatMap(({ isEntry, fileName }) => (isEntry ? [fileName] : [])));
  for (const { fileName, imports = [] } of output) {
    const run = imports.find((name) => entries.has(name));
    // A thread's beginning would run in the midst of a command. So it is where a whole package is imported dynamically.
    if (run !== undefined) throw new Error(`${fileName} imports the entry ${run}, which begins something of its own`);
  }
  const paths = output
    .flatMap((chunk) => chunk.moduleIds ?? [])
    .map((id) => relative(root, id).split("/"))
    .filter(([first]) => first !== "node_modules");
  return new Set(paths.map((parts) => (parts[0] === "packages" ? parts.slice(0, 3).join("/") : parts[0])));
}

/**
 * Writes the few characters beyond Latin-1 as escapes: one of them, and the engine keeps all of a file with two bytes
 * a character, for as long as the program runs.
 */
const latin1 = {
  name: "latin1",
  // Not before: what is rendered is printed anew, without escapes.
  generateBundle(_options, files) {
    for (const file of Object.values(files)) if (file.type === "chunk") file.code = withEscapes(file);
  },
};

function withEscapes({ code, fileName }) {
  const escaped = /\\[^\0-\xff]/.exec(code);
  if (escaped !== null) throw new Error(`${fileName} escapes ${escaped[0]}, which stands for itself`);
  return code.replace(/[^\0-\xff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
