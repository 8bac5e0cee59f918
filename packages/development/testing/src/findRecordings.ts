import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const checkout = fileURLToPath(new URL("../../../..", import.meta.url));
const folders = ["api", "chains", "chains-r"] as const;

/**
 * Finds the folder with chains and API answers that were recorded from rnode nodes. It is not part of the
 * repository, since the chains hold others' contract sources.
 *
 * @returns its absolute path: that of `VEDETTE_SHARED`, else `shared` beside the checkout; `undefined` without either
 * @throws Error when `VEDETTE_SHARED` names something else
 */
export function findRecordings(): string | undefined {
  const named = process.env["VEDETTE_SHARED"];
  const folder = resolve(checkout, named || "../shared");
  const missing = folders.filter((name) => !existsSync(join(folder, name)));
  if (missing.length === 0) return folder;
  if (!named) return undefined;
  throw new Error(`VEDETTE_SHARED=${named} has no recordings: expected the folders ${missing.join(", ")} in it`);
}
