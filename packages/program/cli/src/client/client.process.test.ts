import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { FakeNode } from "@vedette/client/fakes";
import { skipNote } from "@vedette/testing";
import { expect, test } from "vitest";
import { testKey } from "./testing/runCommand.js";

const program = fileURLToPath(new URL("../../bin/vedette.js", import.meta.url));

function start(...args: string[]): {
  readonly process: ChildProcess;
  readonly ended: Promise<[number | null, string]>;
} {
  const child = spawn(process.execPath, [program, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += String(text)));
  return { process: child, ended: once(child, "close").then(([code]) => [code as number | null, output]) };
}

const isLinux = process.platform === "linux";

test.skipIf(!isLinux)(
  `the key is gone from the list of processes, and Ctrl-C ends the command${skipNote(isLinux ? undefined : "no /proc")}`,
  async () => {
    let onRequest = () => {};
    const requested = new Promise<void>((resolve) => {
      onRequest = resolve;
    });
    const propose = () => {
      onRequest();
      return new Promise<never>(() => {});
    };
    await using node = await FakeNode.start({ proposals: { propose } });
    const command = start("propose", "-H", node.host, "-p", String(node.port), "--private-key", testKey);
    await requested;
    const line = readFileSync(`/proc/${command.process.pid}/cmdline`, "latin1");
    expect(line).toMatch(/^vedette propose -H 127\.0\.0\.1 -p \d+ --private-key /);
    expect(line).not.toContain(testKey.slice(0, 8));
    command.process.kill("SIGINT");
    expect(await command.ended).toEqual([130, "vedette: Interrupted\n"]);
  },
);

test("an unknown command that is a key is not repeated", async () => {
  const [code, output] = await start(testKey).ended;
  expect(code).toBe(1);
  expect(output).toContain("<hidden>");
  expect(output).not.toContain(testKey.slice(0, 8));
});
