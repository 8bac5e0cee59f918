// Where things lie in this checkout.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { packageFolders } from "../packageFolders.mjs";

/** Root of the checkout, without a slash at its end. */
export const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");
/** Files that are not code: what is put into packages as it is. */
export const filesFolder = join(root, "scripts/release/files");

export const readJson = (path) => JSON.parse(readFileSync(path, "utf8"));

/** The checkout's own manifest: name, version, engines. */
export const ownManifest = readJson(join(root, "package.json"));
export const version = ownManifest.version;

/** Each workspace's folder by its name, `@vedette/crypto` → `packages/core/crypto`. */
export const workspaces = new Map(
  ["contracts", ...packageFolders(root)].map((folder) => {
    const manifest = readJson(join(root, folder, "package.json"));
    return [manifest.name, { folder, manifest }];
  }),
);

/** The workspace that has the command line, found by its `bin`. */
export const [programWorkspace] = [...workspaces.values()].filter(
  ({ manifest }) => manifest.bin?.vedette !== undefined,
);
/** The compiled module with which the program begins. */
export const programEntry = join(root, programWorkspace.folder, "dist/main.js");

/** The time that all files of a release have, in seconds: the same sources give the same bytes. */
export const releaseTime = Number(process.env.SOURCE_DATE_EPOCH ?? 1_577_836_800);
