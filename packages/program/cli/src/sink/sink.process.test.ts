import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HttpClient } from "@vedette/client";
import { until } from "@vedette/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DevProcess } from "../testing/DevProcess.js";
import { program } from "../testing/NodeProcess.js";

const folder = mkdtempSync(join(tmpdir(), "vedette-sink-"));
const environment = { XDG_CACHE_HOME: folder, VEDETTE_CONTEXTS: join(folder, "contexts.json") };
let chain: DevProcess;
beforeAll(async () => {
  chain = await DevProcess.start(["--seed", "sinks"], environment);
});
afterAll(async () => {
  await chain?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const run = (...args: string[]) =>
  spawnSync(program, ["sink", ...args], { cwd: folder, encoding: "utf8", env: { ...process.env, ...environment } });

/** A receiver that answers some calls with an error, and some not at all. */
class Receiver implements AsyncDisposable {
  readonly ids: string[] = [];
  readonly signed = new Set<string>();
  #calls = 0;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<Receiver> {
    const server = createServer((request, response) => {
      request.resume();
      const { "webhook-id": id, "webhook-signature": signature } = request.headers;
      receiver.#calls += 1;
      if (receiver.#calls % 7 === 3) response.writeHead(503).end();
      else if (receiver.#calls % 11 === 5) response.destroy();
      else {
        receiver.ids.push(String(id));
        receiver.signed.add(String(signature).slice(0, 3));
        response.writeHead(204).end();
      }
    });
    const receiver = new Receiver(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** All events that the node keeps. */
async function eventsOf(url: string, count: number): Promise<string[]> {
  const found: string[] = [];
  for await (const { cursor } of new HttpClient({ url }).events({ after: "oldest" })) {
    found.push(cursor);
    if (found.length >= count) break;
  }
  return found;
}

test("a webhook has every event, in order, through ends by SIGKILL and by SIGTERM", async () => {
  await using receiver = await Receiver.start();
  const { http } = chain.ready.ports;
  const args = ["sink", "webhook", "--url", receiver.url, "--http-port", String(http), "--after", "oldest"];
  const start = () =>
    spawn(program, args, { cwd: folder, env: { ...process.env, ...environment }, stdio: ["ignore", "pipe", "pipe"] });
  const end = async (child: ChildProcess, signal: NodeJS.Signals) => {
    const ended = once(child, "exit");
    child.kill(signal);
    return (await ended)[0] as number | null;
  };
  const address = chain.ready.accounts[0]!.address;
  let blocks = 0;
  const mine = async (count: number) => {
    for (let at = 0; at < count; at += 1) await chain.ask("/dev/faucet", { address, amount: 1 });
    blocks += count;
  };
  await mine(4);
  const state = () => `${receiver.ids.length} have come`;
  for (const signal of ["SIGKILL", "SIGTERM", "SIGKILL"] as const) {
    const before = receiver.ids.length;
    const child = start();
    await mine(3);
    await until("five more events", () => receiver.ids.length >= before + 5, { state });
    const code = await end(child, signal);
    if (signal === "SIGTERM") expect(code).toBe(143);
  }
  const last = start();
  let said = "";
  last.stdout.on("data", (part: Buffer) => {
    said += part.toString();
  });
  // For each block its addition and finality, for its deploy inclusion and finality, and the transfer.
  const wanted = await eventsOf(`http://127.0.0.1:${http}`, 5 * blocks);
  await until("every event", () => wanted.every((id) => receiver.ids.includes(id)), { everyMs: 50, state });
  expect(await end(last, "SIGTERM")).toBe(143);
  expect([...new Set(receiver.ids)].slice(0, wanted.length)).toEqual(wanted);
  expect([...receiver.signed]).toEqual(["v1,"]);
  expect(said).toMatch(
    /^Events of http:\/\/localhost:\d+ go to 127\.0\.0\.1:\d+\/hook, from \S+ on; its position is stored/,
  );
  expect(said).toContain("SIGTERM received, shutting down.");
  expect(existsSync(join(folder, "webhook-secret"))).toBe(true);
  const secret = readFileSync(join(folder, "webhook-secret"), "utf8").trim();
  expect(said).not.toContain(secret.slice("whsec_".length));
});

test("impossible options are refused with what to do", () => {
  const { http } = chain.ready.ports;
  const errorOf = (...args: string[]) => {
    const { status, stderr } = run(...args, "--http-port", String(http));
    expect(status).toBe(1);
    return stderr;
  };
  expect(errorOf("webhook", "--url", "example.com")).toContain("--url");
  writeFileSync(join(folder, "empty"), "\n", { mode: 0o600 });
  const hook = ["webhook", "--url", "http://127.0.0.1:1/"] as const;
  expect(errorOf(...hook, "--secret-file", "empty")).toContain("empty: it needs 1 to 4 lines");
  chmodSync(join(folder, "empty"), 0o644);
  expect(errorOf(...hook, "--secret-file", "empty")).toContain("empty is readable by every user of this machine");
  writeFileSync(join(folder, "note"), "{}");
  expect(errorOf(...hook, "--cursor", "note")).toContain("delete the file, and set --after");
  writeFileSync(join(folder, "other"), '{"cursor":"00000000000000ff-7"}\n');
  expect(errorOf(...hook, "--cursor", "other")).toContain("00000000000000ff-7");
  expect(errorOf("kafka", "--sasl", "PLAIN")).toContain("KAFKA_USER and KAFKA_PASSWORD");
  expect(errorOf("kafka", "--brokers", "localhost")).toContain("--brokers must be host:port");
  expect(errorOf("nats", "--subject", "a.*")).toContain("--subject");
  expect(errorOf("nats", "--nats", "localhost")).toContain("--nats must be URLs");
});
