import type { RhoTuple } from "@vedette/client";
import { createLightClient, type LightClient } from "@vedette/light";
import { VerifiedExplorer } from "@vedette/light/explore";
import { type Dialect, f1r3node, rnode } from "@vedette/protocol";
import { TestQueries } from "@vedette/queries/testing";
import { areRecordingsThere, ownChain, ownF1r3nodeChain } from "@vedette/testing";
import { emptyRoot } from "@vedette/tuplespace";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createHttpServer } from "../server.js";

const proofOfStake = "rho:id:m3xk7h8r54dtqtwsrnxqzhe81baswey66nzw6m533nyd45ptyoybqr";
const absent = "rho:id:m3xk7h8r54dtqtwsrnxqzhe81baswey66nzw6m533nyd45ptyoybqq";
const highestVersion = 9223372036854775807n;

const chains: readonly (readonly [string, Dialect])[] = [
  [ownChain, rnode],
  [ownF1r3nodeChain, f1r3node],
  // Genesis blocks that the reference nodes made, with registries that keep their entries in other trees.
  ...(areRecordingsThere
    ? ([
        ["merge", rnode],
        ["solo-r", f1r3node],
      ] as const)
    : []),
];

describe.each(chains)("the registry of %s, by what a node shows of it", (chain, dialect) => {
  let node: TestQueries;
  let server: FastifyInstance;
  const asked: string[] = [];
  /** Changes an answer of the host `liar`. */
  let lie: (path: string, text: string) => string = (_, text) => text;

  const fetchHere: typeof fetch = async (url, init) => {
    const { host, pathname, search } = new URL(String(url));
    asked.push(pathname);
    const body = init?.body === undefined || init.body === null ? {} : { payload: JSON.parse(String(init.body)) };
    const method = init?.method === "POST" ? "POST" : "GET";
    const answer = await server.inject({ method, url: pathname + search, ...body });
    const text = host === "liar" ? lie(pathname, answer.body) : answer.body;
    const headers = { "content-type": String(answer.headers["content-type"]) };
    return new Response(text, { status: answer.statusCode, headers });
  };

  beforeAll(async () => {
    node = await TestQueries.recorded(chain, dialect);
    server = createHttpServer({ queries: node.queries(), metrics: async () => "" });
  });
  afterAll(async () => {
    await server?.close();
    await node?.[Symbol.asyncDispose]();
  });
  beforeEach(() => {
    asked.length = 0;
    lie = (_, text) => text;
  });

  async function begin(...hosts: readonly string[]): Promise<{ client: LightClient; explorer: VerifiedExplorer }> {
    const checkpoint = (await server.inject("/v2/light/checkpoint")).json();
    const servers = hosts.map((host) => `http://${host}`);
    const client = await createLightClient({ checkpoint, servers, fetch: fetchHere });
    asked.length = 0;
    return { client, explorer: new VerifiedExplorer(client) };
  }

  test("has an entry, or is known to have none, in one request each", async () => {
    const { client, explorer } = await begin("node");
    const { entry, block, fetched } = await explorer.getRegistryEntry(proofOfStake);
    expect(block.hash).toEqual(client.trusted.hash);
    expect(fetched).toBeGreaterThan(3);
    expect((entry!.value as RhoTuple).items[0]).toBe(highestVersion);
    expect((await explorer.getRegistryEntry(absent)).entry).toBeUndefined();
    // Most of a second one is at hand.
    const paths = [proofOfStake, absent].map((uri) => `/v2/light/registry/${encodeURIComponent(uri)}`);
    expect(paths).toEqual(expect.arrayContaining(asked));
    expect(asked.length).toBeLessThanOrEqual(paths.length);
  });

  test("is not said to lack an entry where pieces of its state are withheld, false or of another state", async () => {
    const withheld = (path: string, text: string) => {
      if (path === "/v2/state-pieces") return JSON.stringify({ pieces: [null] });
      if (!path.includes("/registry/")) return text;
      const { pieces } = JSON.parse(text);
      return JSON.stringify({ pieces: pieces.slice(0, -1) });
    };
    lie = withheld;
    const { client, explorer } = await begin("liar");
    await expect(explorer.getRegistryEntry(absent)).rejects.toThrow(/no server gave a verified answer/);
    expect(client.servers[0]?.state).toBe("unclear");
    lie = (path, text) => (path.includes("/registry/") ? text.replace(/.(?="\}\]\})/, flipped) : withheld(path, text));
    const other = await begin("liar");
    await expect(other.explorer.getRegistryEntry(absent)).rejects.toThrow(/no server gave a verified answer/);
    lie = (path, text) => (path.includes("/registry/") ? text.replace(/.(?="\}\]\})/, flipped) : text);
    const found = await begin("liar", "node");
    expect((await found.explorer.getRegistryEntry(absent)).entry).toBeUndefined();
    expect(found.client.servers[0]).toMatchObject({ state: "wrong", reason: expect.stringMatching(/not that piece/) });
  });

  test("is asked piece by piece where a node only has these", async () => {
    lie = (path, text) => (path.includes("/registry/") ? '{"pieces":[]}' : text);
    const { explorer } = await begin("liar");
    const { entry, fetched } = await explorer.getRegistryEntry(proofOfStake);
    expect(entry).toBeDefined();
    expect(asked.filter((path) => path === "/v2/state-pieces").length).toBe(fetched);
  });

  test("is not known where the state has none, or the look-up is given no time", async () => {
    const { client, explorer } = await begin("node");
    const trusted = { ...client.trusted, postState: emptyRoot };
    const before = { dialect, trusted, getPiecesRead: async () => [] } as unknown as LightClient;
    const unknown = /does not answer for .* so that it is not known whether/;
    await expect(new VerifiedExplorer(before).getRegistryEntry(absent)).rejects.toThrow(unknown);
    await expect(explorer.getRegistryEntry(absent, { timeoutMs: -1 })).rejects.toThrow(unknown);
    await expect(explorer.getRegistryEntry("`")).rejects.toThrow(RangeError);
  });

  test("is shown by routes that refuse with a reason, and answers stay the same for good", async () => {
    const { dag } = node.chain;
    const block = Buffer.from(dag.lastFinalized()!.hash).toString("hex");
    const ask = async (path: string) => {
      const { statusCode, headers, body } = await server.inject(`/v2/light/registry/${path}`);
      return [statusCode, statusCode === 200 ? headers["cache-control"] : JSON.parse(body).field];
    };
    const { pieces } = (await server.inject(`/v2/light/registry/${proofOfStake}?block=${block}`)).json();
    const bytes = pieces.reduce((sum: number, piece: { readonly bytes: string }) => sum + piece.bytes.length / 2, 0);
    process.stdout.write(`a look-up in ${chain}: ${pieces.length} pieces, ${bytes} bytes\n`);
    expect(await ask(`${absent}?block=${block}`)).toEqual([200, "public, max-age=31536000, immutable"]);
    expect(await ask(`${absent}?block=${"11".repeat(32)}`)).toEqual([404, "query.block"]);
    expect(await ask(`%60?block=${block}`)).toEqual([400, "params.uri"]);
    const payload = { term: "new return in { return!(1) }", block };
    const explore = { method: "POST", url: "/v2/light/explore", payload } as const;
    expect((await server.inject(explore)).json().pieces.length).toBeGreaterThan(0);
    await using validator = createHttpServer({
      queries: node.queries({ publicKey: new Uint8Array(65) }),
      metrics: async () => "",
    });
    expect((await validator.inject(explore)).statusCode).toBe(403);
  });
});

function flipped(digit: string): string {
  return digit === "0" ? "1" : "0";
}
