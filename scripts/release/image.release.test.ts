import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
/** The checkout as the build of the image sees it. */
const folder = join(root, "release/.image");

test("the image's build needs no more of the checkout than it copies", () => {
  const lines = readFileSync(join(root, "docker/Dockerfile"), "utf8").split("\n");
  const paths = lines
    .filter((line) => line.startsWith("COPY ") && !line.includes("--from="))
    .flatMap((line) => line.split(/\s+/).slice(1, -1));
  const run = (command: string, ...args: string[]) => execFileSync(command, args, { cwd: folder, encoding: "utf8" });
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  try {
    const files = execFileSync("git", ["ls-files", "-z", ...paths], { cwd: root, encoding: "utf8" }).split("\0");
    for (const file of files.filter((name) => name !== "")) cpSync(join(root, file), join(folder, file));
    // In place of `npm ci`: what it has put there.
    const modules = execFileSync("sh", ["-c", "ls -d node_modules packages/*/*/node_modules 2>/dev/null || true"], {
      cwd: root,
      encoding: "utf8",
    });
    for (const place of modules.trim().split("\n")) run("cp", "-al", join(root, place), join(folder, place));
    run("npm", "run", "build");
    run(process.execPath, "scripts/release/main.mjs", "--app", join(folder, "app"));
    expect(run(process.execPath, "app/bin/vedette.js", "--version")).toMatch(/^Vedette \d/);
    expect(run(process.execPath, "app/bin/vedette.js", "checkpoint", "--list")).toContain("checkpoint");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
