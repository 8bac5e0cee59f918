import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { toHex } from "@vedette/crypto";
import { type Dialect, f1r3node, rnode } from "@vedette/protocol";
import { TestQueries } from "@vedette/queries/testing";
import { encodePar, GString, parOfExpr } from "@vedette/terms";
import { ownChain, ownF1r3nodeChain } from "@vedette/testing";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createHttpServer } from "../http/server.js";
import { GrpcTest } from "../testing/grpcTest.js";

const proto = fileURLToPath(new URL("../../../api/proto/vedette/v1/light.proto", import.meta.url));
const proofOfStake = "rho:id:m3xk7h8r54dtqtwsrnxqzhe81baswey66nzw6m533nyd45ptyoybqr";
const unknown = Buffer.alloc(32, 0x11);

/** Calls and answers of a client that knows the service by its text alone. */
// biome-ignore lint/suspicious/noExplicitAny: the stock client has no types for it
type Message = any;

class StockClient implements Disposable {
  readonly #client: Message;

  constructor(port: number) {
    const ofClient = createRequire(createRequire(import.meta.url).resolve("grpc-js-reflection-client"));
    const { ChannelCredentials, loadPackageDefinition } = ofClient("@grpc/grpc-js");
    const definition = ofClient("@grpc/proto-loader").loadSync(proto, { longs: Number, oneofs: true, defaults: true });
    const { Light } = loadPackageDefinition(definition).vedette.v1;
    this.#client = new Light(`127.0.0.1:${port}`, ChannelCredentials.createInsecure());
  }

  one(method: string, request: object): Promise<Message> {
    return new Promise((resolve, reject) => {
      this.#client[method](request, (error: Error | null, answer: Message) =>
        error === null ? resolve(answer) : reject(error),
      );
    });
  }

  async all(method: string, request: object): Promise<Message[]> {
    const messages: Message[] = [];
    for await (const message of this.#client[method](request)) messages.push(message);
    return messages;
  }

  [Symbol.dispose](): void {
    this.#client.close();
  }
}

const chains: readonly (readonly [string, Dialect])[] = [
  [ownChain, rnode],
  [ownF1r3nodeChain, f1r3node],
];

describe.each(chains)("a stock client of gRPC, on %s", (chain, dialect) => {
  let node: TestQueries;
  let http: FastifyInstance;
  let server: GrpcTest;
  let client: StockClient;
  let genesis: Buffer;
  let final: Buffer;

  beforeAll(async () => {
    node = await TestQueries.recorded(chain, dialect);
    const queries = node.queries();
    http = createHttpServer({ queries, metrics: async () => "" });
    server = await GrpcTest.start(queries);
    client = new StockClient(server.ports.external);
    genesis = Buffer.from(node.chain.dag.approvedBlock()!.hash);
    final = Buffer.from(node.chain.dag.lastFinalized()!.hash);
  });
  afterAll(async () => {
    client?.[Symbol.dispose]();
    await server?.[Symbol.asyncDispose]();
    await http?.close();
    await node?.[Symbol.asyncDispose]();
  });

  const over = async (path: string): Promise<Message> => (await http.inject(path)).json();
  const posted = async (url: string, payload: object): Promise<Message> =>
    (await http.inject({ method: "POST", url, payload })).json();
  const hex = (bytes: Uint8Array) => toHex(bytes);
  const printed = (pieces: Message[]) =>
    pieces.map(({ hash, bytes }) => ({ hash: hex(hash), bytes: hex(bytes ?? []) }));

  test("gets updates of the same bytes as over HTTP", async () => {
    for (const packed of [false, true]) {
      const [{ ends }, ...parts] = await client.all("update", { trusted: genesis, thresholdPpm: 100_000, packed });
      const path = `/v2/light/update?trusted=${hex(genesis)}&thresholdPpm=100000&packed=${packed}`;
      const { blocks, target, packed: digits } = await over(path);
      expect([hex(ends.target.blockHash), ends.target.blockNumber]).toEqual([target.blockHash, target.blockNumber]);
      expect(parts.map((part: Message) => hex(part[part.part]))).toEqual(digits ? [digits] : blocks);
      expect(parts.length).toBeGreaterThan(packed ? 0 : 2);
    }
    const nothing = await client.all("update", { trusted: final, thresholdPpm: 100_000 });
    expect(nothing).toMatchObject([{ ends: { trusted: { blockHash: final } } }]);
    expect(nothing[0].ends.target).toBeFalsy();
  });

  test("gets paths, blocks and checkpoints of the same bytes as over HTTP", async () => {
    const blocksOf = async (method: string, request: object) =>
      (await client.all(method, request)).map(({ block }) => hex(block));
    const from = hex(final);
    const way = `/v2/light/path?from=${from}`;
    expect(await blocksOf("path", { from: final, blockNumber: 1 })).toEqual((await over(`${way}&number=1`)).blocks);
    expect(await blocksOf("path", { from: final, to: genesis })).toEqual(
      (await over(`${way}&to=${hex(genesis)}`)).blocks,
    );
    const last = await client.one("block", { blockHash: final });
    expect(hex(last.block)).toBe((await over(`/v2/block/${from}/bytes`)).bytes);
    const { deploys } = await over(`/api/block/${from}`);
    if (deploys.length > 0) {
      const id = deploys[0].sig;
      const found = await blocksOf("deploy", { from: final, deployId: Buffer.from(id, "hex") });
      expect(found).toEqual((await over(`/v2/light/deploy/${id}?from=${from}`)).blocks);
    }
    const { blockHash, ...facts } = await client.one("checkpoint", { blockNumber: 1 });
    expect({ ...facts, blockHash: hex(blockHash) }).toEqual(await over("/v2/light/checkpoint?blockNumber=1"));
  });

  test("gets proofs and pieces of the same bytes as over HTTP", async () => {
    const block = hex(final);
    const par = Buffer.from(encodePar(parOfExpr(new GString("a name that no program uses"))));
    const { proof } = await over(`/v2/state/${block}/data?par=${hex(par)}&proof=true&limit=0`);
    const shown = await client.one("proof", { root: final, kind: "data", names: [par] });
    const [channels, nodes] = [shown.channels.map(hex), shown.nodes.map(hex)];
    const leaf = shown.leaf?.length > 0 ? hex(shown.leaf) : null;
    expect({ ...shown, root: hex(shown.root), channels, nodes, leaf }).toMatchObject(proof);
    const { pieces } = await client.one("registry", { uri: proofOfStake, blockHash: final });
    expect(printed(pieces)).toEqual((await over(`/v2/light/registry/${proofOfStake}?block=${block}`)).pieces);
    const term = "new return, lookup(`rho:registry:lookup`) in { lookup!(`rho:lang:either`, *return) }";
    const explored = await client.one("explore", { term, blockHash: final });
    expect(printed(explored.pieces)).toEqual((await posted("/v2/light/explore", { term, block })).pieces);
    const [{ hash, bytes }] = pieces;
    const answer = await client.one("pieces", { hashes: [hash, unknown] });
    expect(printed(answer.pieces)[0]).toEqual({ hash: hex(hash), bytes: hex(bytes) });
    expect(answer.pieces[1].bytes?.length ?? 0).toBe(0);
  });

  test.each<readonly [string, object, number]>([
    ["block", { blockHash: unknown }, 5],
    ["block", { blockHash: Buffer.alloc(31) }, 3],
    ["checkpoint", { blockNumber: 1_000_000 }, 3],
    ["registry", { uri: "`", blockHash: unknown }, 3],
    ["registry", { uri: proofOfStake, blockHash: unknown }, 5],
    ["registry", { uri: "a".repeat(65_536), blockHash: unknown }, 8],
    ["explore", { term: " ".repeat(1_048_577), blockHash: unknown }, 3],
    ["pieces", { hashes: [] }, 3],
    ["pieces", { hashes: Array.from({ length: 257 }, () => unknown) }, 3],
    ["proof", { root: unknown, kind: "all", names: [unknown] }, 3],
    ["proof", { root: unknown, kind: "data", names: [] }, 3],
  ])("is refused with a status by %s", async (method, request, code) => {
    await expect(client.one(method, request)).rejects.toMatchObject({ code });
  });

  test.each<readonly [string, object, number]>([
    ["update", { trusted: unknown }, 5],
    ["update", { trusted: Buffer.alloc(32), thresholdPpm: 2_000_000 }, 3],
    ["path", { from: unknown, blockNumber: 1 }, 5],
    ["deploy", { from: unknown, deployId: unknown }, 5],
  ])("is refused with a status by the stream %s", async (method, request, code) => {
    await expect(client.all(method, request)).rejects.toMatchObject({ code });
  });

  test("is refused by a validator, as over HTTP, where it wants a program run", async () => {
    await using validator = await GrpcTest.start(node.queries({ publicKey: new Uint8Array(65) }));
    using other = new StockClient(validator.ports.external);
    await expect(other.one("explore", { term: "Nil", blockHash: final })).rejects.toMatchObject({ code: 7 });
    expect(server.failures).toEqual([]);
  });
});
