import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { DevProcess, program } from "@vedette/cli/testing";
import type { IndexEvent, IndexLocation } from "@vedette/indexer";
import { postgresDirectory, TestPlaces } from "@vedette/indexer/testing";
import { ownChain, until } from "@vedette/testing";
import { afterAll, describe, expect, test } from "vitest";
import { RecordedNetwork } from "../network/recordedNetwork.js";
import { killIndex } from "./IndexProcess.js";
import { differencesAt, expectationOf, type NodeEndpoint, untilIndexed } from "./TableChecks.js";

/** Which the chain grows by while one process takes over from another. */
const blocksAtOnce = 2;

/** A process of `vedette index` on a PostgreSQL, and the events that it has printed. */
class Writing {
  readonly events: IndexEvent[] = [];
  readonly #process: ChildProcess;
  readonly #ended: Promise<unknown>;

  constructor(place: Extract<IndexLocation, { readonly kind: "postgres" }>, { admin }: NodeEndpoint) {
    const where = ["--postgres-url", place.url, "--schema", place.schema];
    this.#process = spawn(program, ["index", "--node", admin, "--json", ...where], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    this.#ended = once(this.#process, "exit");
    createInterface({ input: this.#process.stdout! }).on("line", (line) => this.events.push(JSON.parse(line)));
  }

  /** Waits until it has printed an event of a type, at any time. */
  async untilEvent<T extends IndexEvent["type"]>(type: T): Promise<Extract<IndexEvent, { readonly type: T }>> {
    type Found = Extract<IndexEvent, { readonly type: T }>;
    const find = () => this.events.find((event): event is Found => event.type === type);
    return until(`the index to print ${type}`, find, { state: () => JSON.stringify(this.events.at(-1)) });
  }

  send(signal: NodeJS.Signals): void {
    this.#process.kill(signal);
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    this.send(signal);
    await this.#ended;
  }
}

describe.skipIf(postgresDirectory === undefined)("one index of two processes", () => {
  const places = new TestPlaces("postgres");
  afterAll(() => places[Symbol.asyncDispose]());
  const placeOf = async () => (await places.place()) as Extract<IndexLocation, { readonly kind: "postgres" }>;
  const requestedOf = (ports: { readonly http: number; readonly adminHttp: number }) => ({
    http: `http://127.0.0.1:${ports.http}`,
    admin: `http://127.0.0.1:${ports.adminHttp}`,
  });

  test("is continued when its writer is killed, stalls or ends, and lacks and doubles nothing", async () => {
    await using chain = await DevProcess.start();
    const asked = requestedOf(chain.ready.ports);
    const address = chain.ready.accounts[0]!.address;
    let height = 0;
    const grow = async () => {
      for (let at = 0; at < blocksAtOnce; at += 1) await chain.ask("/dev/faucet", { address, amount: 1 });
      height += blocksAtOnce;
    };
    const place = await placeOf();
    await grow();
    let writer = new Writing(place, asked);
    await writer.untilEvent("indexComplete");
    const waits: string[] = [];
    for (const signal of ["SIGKILL", "SIGSTOP", "SIGTERM"] as const) {
      const next = new Writing(place, asked);
      await next.untilEvent("indexStandsBy");
      const fromMs = performance.now();
      writer.send(signal);
      await grow();
      await next.untilEvent("indexTakenOver");
      waits.push(`${signal} ${((performance.now() - fromMs) / 1_000).toFixed(1)} s`);
      await untilIndexed(place, height);
      if (signal === "SIGSTOP") {
        writer.send("SIGCONT");
        await writer.untilEvent("indexStandsBy");
        await grow();
        await untilIndexed(place, height);
      }
      await writer.end("SIGKILL");
      writer = next;
    }
    await writer.end("SIGTERM");
    expect(await differencesAt(place, await expectationOf(asked))).toEqual([]);
    console.log(`another process wrote the index after: ${waits.join(", ")}`);
  });

  test("is gone on with by another node's log", async () => {
    const place = await placeOf();
    // Each with a directory, and a log, of its own.
    await using one = new RecordedNetwork(ownChain);
    await using other = new RecordedNetwork(ownChain);
    const nodes: NodeEndpoint[] = [];
    for (const network of [one, other]) {
      const node = await network.serve();
      await node.line(/HTTP API server started/);
      nodes.push(requestedOf(node.ports));
    }
    const expected = await expectationOf(nodes[1]!);
    await killIndex({ kind: "postgres", url: place.url, schema: place.schema }, nodes[0]!, {
      transactions: 0,
      afterMs: 0,
    });
    const second = new Writing(place, nodes[1]!);
    await second.untilEvent("indexTakenOver");
    await second.untilEvent("indexComplete");
    await second.end("SIGTERM");
    expect(await differencesAt(place, expected)).toEqual([]);
  });
});
