import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";

const vedette = fileURLToPath(new URL("../../bin/vedette.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "vedette-new-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(args: readonly string[], cwd: string) {
  const env = { ...process.env, XDG_CACHE_HOME: join(folder, "cache") };
  const { status, stdout, stderr } = spawnSync(process.execPath, [vedette, ...args], { cwd, encoding: "utf8", env });
  return { status, stdout, stderr };
}

test("a new project passes what its CI does, at once", () => {
  expect(run(["new", "counter"], folder).status).toBe(0);
  const project = join(folder, "counter");
  const workflow = readFileSync(join(project, ".github/workflows/test.yml"), "utf8");
  const commands = [...workflow.matchAll(/- run: vedette (.*)/g)].map(([, command]) => command!.split(" "));
  expect(commands.length).toBe(3);
  for (const command of commands) expect(run(command, project)).toMatchObject({ status: 0, stderr: "" });
  expect(readFileSync(join(project, "junit.xml"), "utf8")).toContain('tests="3" failures="0"');
});

test("nothing is written over, and a name that leads elsewhere is refused", () => {
  expect(run(["new", "cache"], folder)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("is there already"),
  });
  expect(run(["new", "../x"], folder)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("cannot be the name"),
  });
});
