import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Launcher } from "./Launcher.js";

/** Below the ports of outgoing connections, and of no other test. */
const basePort = 9200;

/** What listens on some ports for others than this machine, by the kernel's table; elsewhere than on Linux nothing. */
function openListeners(from: number, to: number): string[] {
  if (process.platform !== "linux") return [];
  const lines = ["/proc/net/tcp", "/proc/net/tcp6"].flatMap((path) => readFileSync(path, "utf8").split("\n"));
  const places = lines.map((line) => line.trim().split(/\s+/)).filter((fields) => fields[3] === "0A");
  const own = places
    .map((fields) => fields[1]!.split(":"))
    .filter(([, port]) => {
      const number = Number.parseInt(port!, 16);
      return number >= from && number < to;
    });
  expect(own.length).toBeGreaterThan(5);
  return own.filter(([address]) => address !== "0100007F").map((parts) => parts.join(":"));
}

test("the command: starts, ends in order, goes on at the next start; nodes of a killed launcher end", async () => {
  const folder = mkdtempSync(join(tmpdir(), "vedette-test-"));
  const directory = join(folder, "network");
  try {
    const first = new Launcher(directory, basePort, ["--validators", "1", "--rhythm", "1s"]);
    const begun = await first.message(({ type }) => type === "network");
    expect(begun.isNew).toBe(true);
    await first.observes(1);
    expect(openListeners(basePort, basePort + 100)).toEqual([]);

    const second = new Launcher(directory, basePort);
    await once(second.process, "exit");
    expect([second.process.exitCode, second.errors]).toEqual([1, expect.stringContaining("is running already")]);

    expect(await first.end("SIGINT")).toBe(0);
    expect(first.messages.at(-1)).toEqual({ type: "message", text: "All nodes have stopped." });

    const next = new Launcher(directory, basePort);
    const goneOn = await next.message(({ type }) => type === "network");
    expect([goneOn.isNew, goneOn.networkId]).toEqual([false, begun.networkId]);
    const running = await next.observes(1);
    expect(running.nodes!.length).toBe(2);
    next.process.kill("SIGKILL");
    await once(next.process, "exit");

    // The nodes that were left behind end by themselves, and the next launcher waits for that.
    const last = new Launcher(directory, basePort, ["--fresh", "--validators", "1"]);
    const anew = await last.message(({ type }) => type === "network");
    expect(anew.isNew).toBe(true);
    expect(anew.networkId).not.toBe(begun.networkId);
    await last.observes(0);
    expect(await last.end("SIGTERM")).toBe(0);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
