import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));
export const releaseFolder = join(root, "release");
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };

/** The files that `npm run release` has made. */
export const made = {
  program: need(`vedette-${version}.tgz`),
  client: need(`vedette-client-${version}.tgz`),
  extension: need(`vedette-rholang-${version}.vsix`),
  linux: need("vedette-linux-x64.tar.gz"),
  deb: need(`vedette_${version}_amd64.deb`),
};

function need(name: string): string {
  const path = join(releaseFolder, name);
  if (!existsSync(path)) throw new Error(`${path} is missing; run: npm run release`);
  return path;
}
