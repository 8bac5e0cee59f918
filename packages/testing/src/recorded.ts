import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * The folder with the reference's recorded answers, which lies beside the checkout and is not part of it.
 *
 * @returns its absolute path, or `undefined` where it does not exist; a suite then says that it is skipped
 */
export function sharedDirectory(): string | undefined {
  const checkout = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "..");
  const shared = process.env["VEDETTE_SHARED"] ?? join(checkout, "..", "shared");
  return existsSync(join(shared, "vectors")) ? shared : undefined;
}

/** The golden vectors' folder; `undefined` as for {@link sharedDirectory}. */
export function vectorsDirectory(): string | undefined {
  const shared = sharedDirectory();
  return shared === undefined ? undefined : join(shared, "vectors");
}

/** The recorded chains' folder; `undefined` as for {@link sharedDirectory}. */
export function chainsDirectory(): string | undefined {
  const shared = sharedDirectory();
  return shared === undefined ? undefined : join(shared, "chains");
}
