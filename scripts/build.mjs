// node scripts/build.mjs: compiles all packages, the explorer and the program, and shows how far it is.
import { spawn } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
/** Without a terminal a line is printed no more often than this. */
const plainLineMs = 5_000;
/** Several projects at once, each checked once: several checkers would look at the same types again. */
const compilerOptions = ["--builders", "4", "--checkers", "1"];

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
await compile();
await Promise.all([
  run("packages/explorer/build.mjs", "the explorer"),
  run("scripts/bundleProgram.mjs", "the program"),
]);
progress.end();

function refuseWhatCannotWork() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major < 20 || (major === 20 && minor < 19))
    refuse(`Node.js 20.19 or newer is needed; this is ${process.version}`);
  if (!existsSync(join(root, "node_modules/typescript"))) refuse("the dependencies are not installed: run npm ci");
  try {
    accessSync(root, constants.W_OK);
  } catch {
    refuse(`${root} cannot be written: a build writes to packages/*/dist and node_modules/.cache; use a copy of it`);
  }
}

function refuse(reason) {
  process.stderr.write(`${reason}\n`);
  process.exit(1);
}

/** Compiles the packages, one after another as they need each other; ends the program where one does not compile. */
async function compile() {
  const compiler = spawn(
    process.execPath,
    [join(root, "node_modules/typescript/bin/tsc"), "-b", "--verbose", ...compilerOptions],
    {
      cwd: root,
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const ended = new Promise((resolve) => compiler.on("close", resolve));
  let projects = 0;
  const seen = new Set();
  for await (const line of createInterface(compiler.stdout)) {
    const [, state, project] = /- (Building project|Project) '(.*?)(?:\/tsconfig\.json)?'/.exec(line) ?? [];
    if (/^\s+\* .*tsconfig\.json$/.test(line)) projects += 1;
    else if (state !== undefined) {
      seen.add(project);
      if (state === "Building project") progress.show(`building ${project} (${seen.size} of ${projects} packages)`);
    } else if (line.trim() !== "" && !/- (Projects in this build|Updating (unchanged )?output)/.test(line)) {
      progress.end();
      process.stdout.write(`${line}\n`);
    }
  }
  const code = await ended;
  if (code !== 0) process.exit(code ?? 1);
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
