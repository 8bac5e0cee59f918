import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);

/**
 * Runs a compiled module of this folder in a process of its own: threads run compiled modules, which `npm test` makes.
 *
 * @returns its output, a JSON value a line
 * @throws when it ends with another exit code than 0
 */
export async function runScenario(name: string, args: readonly string[] = []): Promise<unknown[]> {
  const module = fileURLToPath(new URL(`../../dist/testing/${name}`, import.meta.url));
  const { stdout } = await run(process.execPath, [module, ...args], { maxBuffer: 1 << 26 });
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}
