// node scripts/test.mjs <project> [what]: builds, then runs the tests of a vitest project.
// `what` is a package ("chain"), a part of a path, or an option of vitest; without it all tests of the project run.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { packageFolder } from "./packageFolders.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const [project, ...chosen] = process.argv.slice(2);

run("scripts/build.mjs");
await refuseWrongRecordings();
const filters = chosen.map((name) =>
  packageFolder(root, name) === undefined ? name : `${packageFolder(root, name)}/`,
);
run("node_modules/vitest/vitest.mjs", "run", "--project", project, ...filters);

function run(script, ...options) {
  const env = { ...process.env, VEDETTE_IS_BUILT: "true" };
  const { status } = spawnSync(process.execPath, [join(root, script), ...options], {
    cwd: root,
    stdio: "inherit",
    env,
  });
  if (status !== 0) process.exit(status ?? 1);
}

/** Ends the program with one line where `VEDETTE_SHARED` names no recordings. */
async function refuseWrongRecordings() {
  const { findRecordings } = await import("../packages/development/testing/dist/findRecordings.js");
  try {
    findRecordings();
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}
