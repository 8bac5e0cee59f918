import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { targetNames } from "./targets.js";

test("loading a target, as the thread that reports findings does, keeps no process alive", async () => {
  const targets = new URL("../dist/targets.js", import.meta.url).href;
  const program = `const { loadTarget } = await import(${JSON.stringify(targets)});
    for (const name of ${JSON.stringify(targetNames)}) await loadTarget(name);`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program], { stdio: "inherit" });
  expect(await once(child, "exit")).toEqual([0, null]);
});
