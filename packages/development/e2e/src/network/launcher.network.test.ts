import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePortRange } from "@vedette/testing";
import { expect, onTestFinished, test } from "vitest";
import { Launcher } from "./Launcher.js";

/** A network of one validator takes its ports from its base port on: those of six nodes, ten each. */
const ports = 60;

/**
 * Returns the sockets that listen on some ports for other machines, by the kernel's table; elsewhere than on Linux
 * none.
 */
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
  const launchers: Launcher[] = [];
  onTestFinished(async () => {
    for (const one of launchers) await one.end("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  });
  const directory = join(folder, "network");
  const basePort = await freePortRange(ports);
  const launch = (args: readonly string[] = []) => {
    const launcher = new Launcher(directory, basePort, args);
    launchers.push(launcher);
    return launcher;
  };
  const first = launch(["--validators", "1", "--block-interval", "1s"]);
  const begun = await first.message(({ type }) => type === "network");
  expect(begun.isNew).toBe(true);
  await first.observes(1);
  expect(openListeners(basePort, basePort + ports)).toEqual([]);

  const second = launch();
  await second.ended();
  expect([second.process.exitCode, second.errors]).toEqual([1, expect.stringContaining("is running already")]);

  expect(await first.end("SIGINT")).toBe(0);
  expect(first.messages.at(-1)).toEqual({ type: "message", text: "All nodes have stopped." });

  const next = launch();
  const goneOn = await next.message(({ type }) => type === "network");
  expect([goneOn.isNew, goneOn.networkId]).toEqual([false, begun.networkId]);
  const running = await next.observes(1);
  expect(running.nodes!.length).toBe(2);
  await next.end("SIGKILL");

  // The nodes that were left behind end by themselves, and the next launcher waits for that.
  const last = launch(["--reset", "--validators", "1"]);
  const anew = await last.message(({ type }) => type === "network");
  expect(anew.isNew).toBe(true);
  expect(anew.networkId).not.toBe(begun.networkId);
  await last.observes(0);
  expect(await last.end("SIGTERM")).toBe(0);
});
