import type { ClientSessionOptions } from "node:http2";
import { createClient, type Transport } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { DeployService } from "@vedette/api/grpc";
import { TrustedProxies } from "@vedette/config";
import type { QueryReaders } from "@vedette/executor/threads";
import { insertBlocks, TestQueries } from "@vedette/queries/testing";
import { expect, test } from "vitest";
import { testLimits } from "../testing/grpcTest.js";
import type { GrpcServer } from "./GrpcServer.js";
import { externalGrpcServer } from "./grpcServers.js";

/** Runs programs one after the other, each when the test starts it. */
class HeldReaders {
  readonly begun: string[] = [];
  begin: () => void = () => undefined;
  readonly #begins = new Promise<void>((resolve) => (this.begin = resolve));

  readonly readers: QueryReaders = {
    call: async (_method, argument) => {
      this.begun.push((argument as { readonly source: string }).source);
      await this.#begins;
      return { kind: "values", values: { form: "bytes", terms: [] } } as never;
    },
  };
}

/** The protocol of a client: gRPC unless stated otherwise. */
interface How {
  readonly headers?: Record<string, string>;
  readonly speak?: (options: {
    readonly baseUrl: string;
    readonly httpVersion: "2";
    readonly nodeOptions: ClientSessionOptions;
  }) => Transport;
}

/** A server with explorations that wait, and clients at different addresses. */
class Trial implements AsyncDisposable {
  readonly held = new HeldReaders();
  readonly #server: GrpcServer;
  readonly #answers: Promise<unknown>[] = [];
  #port = 0;

  private constructor(proxies: TrustedProxies | undefined) {
    const node = TestQueries.over(this.held.readers);
    insertBlocks(node.chain);
    this.#server = externalGrpcServer({
      ...{ queries: node.queries(), limits: testLimits, proxies },
      onFailure: () => undefined,
      nowMs: () => performance.now(),
    });
  }

  static async start(proxies?: TrustedProxies): Promise<Trial> {
    const trial = new Trial(proxies);
    trial.#port = await trial.#server.listen(0, "127.0.0.1");
    return trial;
  }

  /** Requests several explorations at once; resolves when they wait for their turns. */
  async explore(from: string, names: readonly string[], { headers = {}, speak = createGrpcTransport }: How = {}) {
    // The options of the socket below are taken, too.
    const nodeOptions: ClientSessionOptions & { localAddress: string } = { localAddress: from };
    const transport = speak({ baseUrl: `http://127.0.0.1:${this.#port}`, httpVersion: "2", nodeOptions });
    const client = createClient(DeployService, transport);
    for (const term of names) this.#answers.push(client.exploratoryDeploy({ term }, { headers }));
    // Later requests on the same connection are answered when they have been read.
    for (let trips = 0; trips < 3; trips++) await client.status({});
  }

  /** Lets all have their turns. @returns the programs in the order in which they began */
  async finish(): Promise<readonly string[]> {
    this.held.begin();
    for (const answer of await Promise.all(this.#answers))
      expect(answer).toMatchObject({ message: { case: "result" } });
    return this.held.begun;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#server[Symbol.asyncDispose]();
  }
}

const many = Array.from({ length: 40 }, (_, index) => `busy ${index}`);

test("a client that asks for much does not keep another from its turn", async () => {
  await using trial = await Trial.start();
  await trial.explore("127.0.0.1", many);
  await trial.explore("127.0.0.2", ["other 0", "other 1"]);
  const begun = await trial.finish();
  expect(begun.slice(0, 5)).toEqual(["busy 0", "other 0", "busy 1", "other 1", "busy 2"]);
  expect(begun).toHaveLength(42);
});

test.each([
  ["gRPC-web", createGrpcWebTransport],
  ["Connect", createConnectTransport],
])("nor do those that speak %s", async (_name, speak) => {
  await using trial = await Trial.start();
  await trial.explore("127.0.0.1", many, { speak });
  await trial.explore("127.0.0.2", ["other"], { speak });
  expect((await trial.finish())[1]).toBe("other");
});

test("clients behind a trusted proxy take turns with each other", async () => {
  await using trial = await Trial.start(new TrustedProxies(["127.0.0.2"], "x-forwarded-for"));
  const client = (address: string) => ({ headers: { "x-forwarded-for": address } });
  await trial.explore("127.0.0.2", many, client("203.0.113.5"));
  await trial.explore("127.0.0.2", ["other"], client("203.0.113.5, 203.0.113.6"));
  expect((await trial.finish())[1]).toBe("other");
});

test("inventing clients wins no further turns", async () => {
  await using trial = await Trial.start(new TrustedProxies(["127.0.0.2"], "x-forwarded-for"));
  await trial.explore("127.0.0.3", ["first"]);
  for (let last = 1; last <= 4; last++)
    await trial.explore("127.0.0.3", [`invented ${last}`], { headers: { "x-forwarded-for": `203.0.113.${last}` } });
  await trial.explore("127.0.0.4", ["honest"]);
  expect((await trial.finish())[1]).toBe("honest");
});
