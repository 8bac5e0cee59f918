// The npm package `@vedette/client`: for programs and for pages.
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { bundle } from "./bundle.mjs";
import { ownManifest, root, version, workspaces } from "./checkout.mjs";
import { writeDeclarations } from "./declarations.mjs";
import { foreignDependencies } from "./lockedTree.mjs";

const { folder: source, manifest: own } = workspaces.get("@vedette/client");
/** The workspace's entries that are for users, and whether a page can have them. */
const entries = [
  { path: ".", name: "index", isForPages: true },
  { path: "./proof", name: "proof", isForPages: true },
  { path: "./node", name: "node", isForPages: false },
  { path: "./testing", name: "testing", isForPages: false },
];
/** Faster signatures where it is there; all works without. */
const optional = ["secp256k1"];

/** Puts the package together in a folder, ready for `npm pack`. */
export async function stageClient(folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const inputs = (chosen) =>
    Object.fromEntries(chosen.map(({ path, name }) => [name, join(root, source, own.exports[path].default)]));
  const forNode = await bundle({ input: inputs(entries), folder: join(folder, "dist") });
  const forPages = entries.filter(({ isForPages }) => isForPages);
  await bundle({ input: inputs(forPages), folder: join(folder, "dist/browser"), platform: "browser" });
  const types = writeDeclarations(
    entries.map(({ path }) => join("@vedette/client", path)),
    join(folder, "dist/types"),
  ).map((path) => `./${relative(folder, path)}`);
  for (const [from, name] of [
    [root, "LICENSE"],
    [join(root, source), "README.md"],
  ])
    copyFileSync(join(from, name), join(folder, name));
  const all = foreignDependencies(forNode);
  const manifest = {
    name: "@vedette/client",
    version,
    description:
      "Talks to nodes of rnode-family networks: deploys built and signed, HTTP, gRPC and events, proofs of states",
    keywords: ["rnode", "rholang", "blockchain", "client"],
    license: ownManifest.license,
    type: "module",
    sideEffects: false,
    exports: Object.fromEntries(
      entries.map(({ path, name, isForPages }, index) => [
        path,
        {
          types: types[index],
          ...(isForPages ? { browser: `./dist/browser/${name}.js` } : {}),
          default: `./dist/${name}.js`,
        },
      ]),
    ),
    files: ["dist"],
    engines: ownManifest.engines,
    dependencies: without(all, (name) => optional.includes(name)),
    optionalDependencies: without(all, (name) => !optional.includes(name)),
  };
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
}

function without(dependencies, isLeft) {
  return Object.fromEntries(Object.entries(dependencies).filter(([name]) => !isLeft(name)));
}
