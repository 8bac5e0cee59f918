import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

const builtFolder = fileURLToPath(new URL("../../../../node_modules/.cache/go", import.meta.url));

/** Why a program written in Go is not here; `undefined` where it can be had. */
export function whyNoGo(): string | undefined {
  return spawnSync("go", ["version"]).status === 0 ? undefined : "there is no go command";
}

/**
 * Builds a program from the Go module proxy, once for each version.
 *
 * @param path of the package that is the program, such as `github.com/nats-io/nats-server/v2`
 * @returns the path of the program
 * @throws Error with the build's output
 */
export function goProgram(path: string, version: string): string {
  const name = basename(path.replace(/\/v\d+$/, ""));
  const program = join(builtFolder, `${name}-${version}`);
  if (existsSync(program)) return program;
  mkdirSync(builtFolder, { recursive: true });
  // A folder of its own, and given its name at the end: several tests may need it at once.
  const folder = mkdtempSync(join(builtFolder, "building-"));
  try {
    const env = { ...process.env, GOBIN: folder };
    const build = spawnSync("go", ["install", `${path}@${version}`], { env, encoding: "utf8" });
    if (build.status !== 0) throw new Error(`go install ${path}@${version} failed: ${build.stderr}`);
    renameSync(join(folder, name), program);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return program;
}
