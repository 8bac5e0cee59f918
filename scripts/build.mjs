// node scripts/build.mjs: compiles all packages, the explorer and the program, and shows how far it is.
import { spawn } from "node:child_process";
import { accessSync, constants, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { compile } from "./compile.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
/** Without a terminal a line is printed no more often than this. */
const plainLineMs = 5_000;

/** Shows what is being built. */
class Progress {
  #shownMs = Number.NEGATIVE_INFINITY;
  #isShown = false;

  /** Shows a step: in place on a terminal, as a line from time to time elsewhere. */
  show(text) {
    const nowMs = performance.now();
    if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
    else if (nowMs - this.#shownMs >= plainLineMs) process.stderr.write(`${text}\n`);
    else return;
    this.#shownMs = nowMs;
    this.#isShown = true;
  }

  end() {
    if (this.#isShown && process.stderr.isTTY) process.stderr.write("\r\x1b[K");
  }
}

refuseWhatCannotWork();
const progress = new Progress();
await compileWorkspaces();
await Promise.all([
  run("packages/services/explorer/build.mjs", "the explorer"),
  run("scripts/bundleProgram.mjs", "the program"),
]);
progress.end();

function refuseWhatCannotWork() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major < 20 || (major === 20 && minor < 19))
    refuse(`Node.js 20.19 or newer is needed; this is ${process.version}`);
  if (!existsSync(join(root, "node_modules/rolldown"))) refuse("the dependencies are not installed: run npm ci");
  try {
    accessSync(root, constants.W_OK);
  } catch {
    refuse(`${root} cannot be written: a build writes to packages/*/*/dist and node_modules/.cache; use a copy of it`);
  }
}

function refuse(reason) {
  process.stderr.write(`${reason}\n`);
  process.exit(1);
}

/** Compiles all workspaces; ends the program where a module cannot be read. */
async function compileWorkspaces() {
  const { workspaces } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const folders = workspaces.filter((folder) => existsSync(join(root, folder, "src")));
  const faults = await compile(root, folders, (done, all) => progress.show(`compiling ${done} of ${all} modules`));
  if (faults.length === 0) return;
  progress.end();
  process.stderr.write(`${faults.join("\n")}\n`);
  process.exit(1);
}

/** Runs a script that builds something, unless it is there already. */
async function run(script, what) {
  const path = join(root, script);
  const builder = spawn(process.execPath, [path], { cwd: root, stdio: "inherit" });
  const shown = setTimeout(() => progress.show(`building ${what}`), 500);
  const code = await new Promise((resolve) => builder.on("close", resolve));
  clearTimeout(shown);
  if (code !== 0) process.exit(code ?? 1);
}
