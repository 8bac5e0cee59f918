import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NodeClient } from "@vedette/client/node";
import { freePortRange, goProgram, patienceMs, whyNoGo } from "@vedette/testing";
import { afterAll, describe, expect, test } from "vitest";
import { CommandProcess } from "./CommandProcess.js";

const why = whyNoGo() ?? whyNoProxy();
if (why !== undefined) process.stderr.write(`a fleet on this machine is not tried: ${why}\n`);

/** A network of one validator and its fleet take their ports from the base port on, ten for each member. */
const ports = 100;
const answerMs = patienceMs();

interface FleetFacts {
  readonly nats: string;
  readonly name: { readonly http: number; readonly grpc: number };
  readonly replicas: readonly { readonly name: string; readonly ports: { readonly http: number } }[];
}

describe.skipIf(why !== undefined)("vedette fleet", () => {
  const folder = mkdtempSync(join(tmpdir(), "vedette-fleet-test-"));
  let fleet: CommandProcess | undefined;
  afterAll(async () => {
    await fleet?.end("SIGTERM");
    rmSync(folder, { recursive: true, force: true });
  });

  test("one name answers as its network does, without a member, and after its launcher was killed", async () => {
    const server = goProgram("github.com/nats-io/nats-server/v2", "v2.15.2");
    const basePort = await freePortRange(ports);
    fleet = new CommandProcess([
      ...["fleet", `--dir=${join(folder, "net")}`, `--nats-server=${server}`, `--base-port=${basePort}`],
      ...["--validators=1", "--replicas=2", "--block-interval=1s", "--json"],
    ]);
    const { name, replicas: members } = await factsOf(fleet);
    const here = `http://127.0.0.1:${name.http}`;
    await finalizes(here, 2);
    for (const member of members) await isReady(`http://127.0.0.1:${member.ports.http}`);
    for (const member of members) await takesPart(here, `http://127.0.0.1:${member.ports.http}`);

    const replicas = processesOf(folder, "replica1");
    expect(replicas.length).toBe(1);
    process.kill(replicas[0]!, "SIGKILL");
    await isAnsweredByTheOther(here, fleet);
    const client = new NodeClient({ host: "127.0.0.1", port: name.grpc, timeoutMs: answerMs });
    const block = await client.lastFinalizedBlock().finally(() => client[Symbol.dispose]());
    expect(block.blockInfo?.blockNumber).toBeGreaterThanOrEqual(2n);

    // A program that is not ours does not notice that its launcher is gone: the next one ends it.
    expect(await fleet.end("SIGKILL")).toBe("SIGKILL");
    fleet.said = "";
    fleet.start();
    await factsOf(fleet);
    await finalizes(here, 4);
    expect(await fleet.end("SIGTERM"), fleet.said.slice(-2_000)).toBe(0);
    for (const member of ["nats", "proxy", "replica1", "replica2", "observer", "validator1"])
      expect(processesOf(folder, member), member).toEqual([]);
  });

  test("reports what it needs", async () => {
    const command = new CommandProcess(["fleet", `--dir=${join(folder, "other")}`, `--nats-server=${folder}/none`]);
    expect(await command.ended()).toBe(1);
    expect(command.said).toContain("none was not found: get it from https://github.com/nats-io/nats-server/releases");
  });
});

async function factsOf(fleet: CommandProcess): Promise<FleetFacts> {
  const fact = () => {
    if (fleet.hasEnded) throw new Error(`it has ended: ${fleet.said}`);
    return /^\{"type":"fleet".*\}$/m.exec(fleet.said)?.[0];
  };
  await expect.poll(fact).toBeDefined();
  return JSON.parse(fact()!) as FleetFacts;
}

async function finalizes(url: string, height: number): Promise<void> {
  const final = async () => {
    const answer = await fetch(`${url}/status`, { signal: AbortSignal.timeout(answerMs) }).catch(() => undefined);
    if (answer?.ok !== true) return -1;
    const { syncStatus } = (await answer.json()) as { syncStatus: { finalizedBlockNumber: number | null } };
    return syncStatus.finalizedBlockNumber ?? -1;
  };
  await expect.poll(final).toBeGreaterThanOrEqual(height);
}

async function isReady(url: string): Promise<void> {
  const status = () =>
    fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(answerMs) }).then(
      ({ status }) => status,
      () => undefined,
    );
  await expect.poll(status).toBe(200);
}

/**
 * All of 50 requests are answered, except while the proxy reports that no member is ready: on a slow machine all may be
 * behind.
 */
async function isAnsweredByTheOther(url: string, fleet: CommandProcess): Promise<void> {
  for (;;) {
    fleet.said = "";
    const answers = await Promise.all(Array.from({ length: 50 }, () => read(`${url}/api/last-finalized-block`)));
    const refused = answers.filter(({ status }) => status !== 200);
    if (refused.length === 0) return;
    // Logged at once if it was so before, too.
    await expect.poll(() => fleet.said).toContain("has no server available");
  }
}

/** Waits until the proxy hands requests on to a member, as it does once it has found it ready. */
async function takesPart(name: string, member: string): Promise<void> {
  const answers = async () => {
    await read(`${name}/api/last-finalized-block`);
    return (await fetch(`${member}/metrics`)).text();
  };
  await expect.poll(answers).toMatch(/^vedette_http_requests_total\{.*last-finalized-block.*status="200"\} [1-9]/m);
}

/** A request that a member had taken when it was killed may end without an answer: it is made once more. */
async function read(url: string): Promise<Response> {
  return fetch(url).catch(() => fetch(url));
}

/** Processes with a command that names a member's folder in ours. */
function processesOf(folder: string, member: string): number[] {
  const lines = execFileSync("ps", ["-eww", "-o", "pid=,args="], { encoding: "utf8" }).split("\n");
  return lines
    .filter((line) => line.includes(folder) && line.includes(`/${member}/`) && !line.includes(" fleet "))
    .map((line) => Number.parseInt(line, 10));
}

function whyNoProxy(): string | undefined {
  try {
    execFileSync("haproxy", ["-v"]);
    readFileSync("/proc/self/stat");
    return undefined;
  } catch {
    return "there is no haproxy";
  }
}
