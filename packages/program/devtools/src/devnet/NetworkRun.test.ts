import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort, until } from "@vedette/testing";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { NetworkRun, nodeProgram } from "./NetworkRun.js";
import { newSettings } from "./NetworkSettings.js";
import { type NodeView, watchNetwork } from "./NetworkWatch.js";
import { type NodePlan, planNetwork, portsFrom } from "./planNetwork.js";

/** A program that looks like a node from outside. */
const fakeNode = `
  import { createServer } from "node:http";
  const [, port, height] = process.argv;
  const answers = {
    "/status": { version: "fake", peers: 2, syncStatus: { phase: "following", blockNumber: height === "none" ? null : Number(height), finalizedBlockNumber: 0 } },
    "/blocks/1": [{ timestamp: 1000 + Number(height) }],
  };
  createServer((request, response) => response.end(JSON.stringify(answers[request.url]))).listen(Number(port), "127.0.0.1");
  console.log(JSON.stringify({ level: "info", time: "2026-01-01T00:00:00.000Z", msg: "Making a transition to Running state." }));
  process.on("SIGINT", () => process.exit(130));
`;

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "vedette-test-"));
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

test("nodes start after the one that they join through, are watched, come back when they die, and end together", async () => {
  const base = await freePort();
  const ports = [base, await freePort()];
  const plan = planNetwork(folder, newSettings({ validators: 1 }), {
    choosePorts: (index) => ({ ...portsFrom(9_000), http: ports[index === 1 ? 0 : 1]! }),
  });
  const lines: string[] = [];
  const heights: Record<string, string> = { validator1: "7", observer: "none" };
  const run = new NetworkRun(plan.nodes, {
    isRestarted: true,
    onLine: ({ name }, { text }) => lines.push(`${name}: ${text}`),
    programOf: ({ name, ports: { http } }: NodePlan) => ({
      command: process.execPath,
      args: ["--input-type=module", "-e", fakeNode, String(http), heights[name]!],
      environment: { PATH: process.env["PATH"] },
    }),
    backoff: { firstMs: 10, maxMs: 10, recoveredAfterMs: 60_000 },
  });
  await run.start(new AbortController().signal);
  expect(lines).toContain("validator1: Making a transition to Running state.");
  const [validator, observer] = await watched(run, (nodes) => nodes.every(({ peers }) => peers === 2));
  expect(validator).toMatchObject({
    state: "running",
    height: 7,
    finalized: 0,
    peers: 2,
    lastBlockMs: 1_007,
    restarts: 0,
  });
  if (process.platform === "linux") expect(validator!.memoryBytes).toBeGreaterThan(1 << 20);
  expect(observer).toMatchObject({ state: "joining", height: undefined });
  await run.nodes[1]!.process.kill();
  const [, back] = await watched(run, (nodes) => nodes[1]!.restarts === 1 && nodes[1]!.state === "joining");
  expect(back!.reason).toBeUndefined();
  expect(await run.stop(3_600_000)).toEqual([]);
  expect((await watchNetwork(run)).map(({ state, reason }) => [state, reason])).toEqual([
    ["stopped", "exit code 130"],
    ["stopped", "exit code 130"],
  ]);
  const log = readFileSync(join(folder, "observer", "node.log"), "utf8");
  expect(log).toContain("2026-01-01T00:00:00.000Z [INFO] Making a transition to Running state.");
  expect(log).toContain("[LAUNCHER] ended by SIGKILL");
});

test("variables that would override a node's configuration are removed", () => {
  vi.stubEnv("VEDETTE_PRIVATE_KEY", "secret");
  const [node] = planNetwork(folder, newSettings({})).nodes;
  const { environment, args } = nodeProgram("vedette.js", node!);
  expect(Object.keys(environment).filter((name) => name.startsWith("VEDETTE_"))).toEqual([]);
  expect(args.slice(1)).toEqual(["run", "-c", join(folder, "bootstrap", "rnode.conf")]);
});

async function watched(run: NetworkRun, isIt: (nodes: readonly NodeView[]) => boolean): Promise<readonly NodeView[]> {
  let nodes: readonly NodeView[] = [];
  const look = async () => isIt((nodes = await watchNetwork(run)));
  await until("the nodes to be as expected", look, { state: () => JSON.stringify(nodes) });
  return nodes;
}
