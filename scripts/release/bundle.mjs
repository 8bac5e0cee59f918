import { relative } from "node:path";
import { rolldown } from "rolldown";
import { root, workspaces } from "./checkout.mjs";

/**
 * Bundles compiled workspaces; what strangers wrote stays outside.
 *
 * @param input name of an entry → its file
 * @param conditions the names under which manifests offer other files, besides `import` and `default`
 * @returns the folders of the workspaces that are in it
 */
export async function bundle({ input, folder, conditions, plugins = [] }) {
  const build = await rolldown({
    input,
    platform: conditions.includes("browser") ? "browser" : "node",
    external: (id) => /^[\w@]/.test(id) && !workspaces.has(id.split("/").slice(0, 2).join("/")),
    resolve: { conditionNames: [...conditions, "import", "default"] },
    plugins,
    onLog: (level, { message }) => {
      if (level === "warn") throw new Error(message);
    },
  });
  const { output } = await build.write({
    dir: folder,
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js",
    // Those who read them have the checkout; types keep theirs.
    comments: { jsdoc: false },
  });
  await build.close();
  const paths = output.flatMap((chunk) => chunk.moduleIds ?? []).map((id) => relative(root, id).split("/"));
  return new Set(paths.map(([first, second]) => (first === "packages" ? `${first}/${second}` : first)));
}
