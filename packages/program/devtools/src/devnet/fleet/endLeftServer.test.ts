import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@vedette/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { endLeftServer } from "./endLeftServer.js";

let folder = "";
let port = 0;
let left: ChildProcess;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "vedette-left-"));
  const program = `require("node:net").createServer().listen(0, "127.0.0.1", function () { console.log(this.address().port) })`;
  left = spawn(process.execPath, ["-e", program, join(folder, "server")], { stdio: ["ignore", "pipe", "ignore"] });
  port = Number(String((await once(left.stdout!, "data"))[0]));
});
afterEach(() => {
  left.kill("SIGKILL");
  rmSync(folder, { recursive: true });
});

test("a server that was left behind is ended, and nothing else", async () => {
  await endLeftServer(port, join(folder, "another"));
  await endLeftServer(await freePort(), folder);
  expect(left.exitCode ?? left.signalCode).toBeNull();
  const ended = once(left, "exit");
  await endLeftServer(port, join(folder, "server"));
  await ended;
  expect(left.signalCode).toBe("SIGTERM");
  await endLeftServer(port, join(folder, "server"));
});
