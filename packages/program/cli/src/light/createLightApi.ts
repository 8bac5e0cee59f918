import {
  balancesRoute,
  blockAnswersOf,
  blockInfo,
  blockRoute,
  blocksRoute,
  exploreAtBlockRoute,
  exploreDeployRoute,
  isFinalizedRoute,
  type JsonValue,
  lastFinalizedBlockRoute,
  lightBlockInfo,
  newestBlocksRoute,
  printJson,
  registryRoute,
  statusRoute,
  versionRoute,
} from "@vedette/api";
import { versionText } from "@vedette/config";
import { fromHex, toHex } from "@vedette/crypto";
import { ExecutionError, isUri } from "@vedette/execution";
import { loadForms } from "@vedette/executor";
import { type LightClient, LightClientError, maxPathBlocks, type ServerReport } from "@vedette/light";
import { VerifiedExplorer } from "@vedette/light/explore";
import { type Block, encodeBlock } from "@vedette/protocol";
import { ApiError, Problem } from "@vedette/queries";
import { bareServer, JsonText, rnodeHttpConventions, serve } from "@vedette/server";
import { GString, type Par, parOfExpr } from "@vedette/terms";

type HttpServer = ReturnType<typeof bareServer>;

const maxBalancesAtOnce = 50;
const hashForm = /^[0-9a-fA-F]{64}$/;

/** The read API of a node, answered from what a light client verifies. @spec 70 §11 */
export function createLightApi(client: LightClient): HttpServer {
  const server = bareServer("public", rnodeHttpConventions);
  serve(server, versionRoute, () => versionText);
  serve(server, statusRoute, () => new JsonText(printJson(statusOf(client))));
  addBlocks(server, client);
  serve(server, balancesRoute, async ({ body: { addresses, block = "finalized" } }) => {
    if (block !== "finalized") throw new Problem("body.block must be finalized.", { field: "body.block" });
    if (addresses.length > maxBalancesAtOnce)
      throw new Problem(`body.addresses must have at most ${maxBalancesAtOnce} items.`, { field: "body.addresses" });
    const { hash, number, postState } = client.trusted;
    const found = await reporting(Promise.all(addresses.map((address) => client.getBalance(address))));
    if (found.some(({ block: { hash: other } }) => toHex(other) !== toHex(hash)))
      throw new Problem("A newer block was verified meanwhile; repeat the request.", {
        status: 503,
        retryAfterSeconds: 1,
      });
    return {
      block: { blockHash: toHex(hash), blockNumber: number },
      root: toHex(postState),
      balances: addresses.map((address, index) => ({ address, balance: found[index]!.value })),
    };
  });
  const explorer = new VerifiedExplorer(client);
  addPrograms(server, client, explorer);
  addRegistry(server, client, explorer);
  return server;
}

function addBlocks(server: HttpServer, client: LightClient): void {
  const newest = async (depth: number) => {
    const { number } = client.trusted;
    const lowest = number - BigInt(Math.max(1, depth)) + 1n;
    const { value } = await refusing(client.getMainChain(lowest > 0n ? lowest : 0n));
    return printed(value.map((block) => lightBlockInfo(block, factsOf(block))));
  };
  serve(server, newestBlocksRoute, () => newest(1));
  serve(server, blocksRoute, ({ params: { depth } }) => {
    if (depth > maxPathBlocks) throw new ApiError(`A light client shows at most ${maxPathBlocks} blocks.`);
    return newest(depth);
  });
  serve(server, lastFinalizedBlockRoute, async () => {
    const { value } = await refusing(client.getBlock(client.trusted.hash));
    return printed(blockInfo(value, factsOf(value)));
  });
  serve(server, blockRoute, async ({ params }) => {
    const { value } = await refusing(client.getBlock(requireHash(params.hash)));
    return printed(blockInfo(value, factsOf(value)));
  });
  serve(server, isFinalizedRoute, async ({ params }) => {
    await refusing(client.getBlock(requireHash(params.hash)));
    return true;
  });
}

/** Programs run here, on the verified state. @spec 70 §7.4 */
function addPrograms(server: HttpServer, client: LightClient, explorer: VerifiedExplorer): void {
  const forms = loadForms(client.dialect.name);
  const run = async (source: string) => {
    const { result, block } = await refusing(explorer.explore(source));
    const { errorText, shown } = await forms;
    if (result.kind === "failed") throw programFailed(errorText(result.error), result.error);
    const { value } = await refusing(client.getBlock(block.hash));
    const expr = result.pars.flatMap((par) => shown(par) ?? []) as unknown as JsonValue[];
    const cost = blockAnswersOf(value).reportsCost ? { cost: result.cost } : {};
    return printed({ expr, block: lightBlockInfo(value, factsOf(value)), ...cost });
  };
  serve(server, exploreDeployRoute, ({ body }) => run(body));
  serve(server, exploreAtBlockRoute, ({ body: { term, blockHash, usePreStateHash } }) => {
    const isNewest = ["", toHex(client.trusted.hash)].includes(blockHash.toLowerCase());
    if (isNewest && !usePreStateHash) return run(term);
    throw new ApiError("A light client runs programs on the state after the newest verified block only.");
  });
}

/** The registry of the verified state; an unknown entry is not reported as absent. @spec 50 §10.5, 70 §7.5 */
function addRegistry(server: HttpServer, client: LightClient, explorer: VerifiedExplorer): void {
  const forms = loadForms(client.dialect.name);
  serve(server, registryRoute, async ({ params: { uri }, query: { block_hash: hash } }) => {
    if (!isUri(uri)) throw new Problem("uri must be one, such as rho:system:pos.", { kind: "illegal_argument" });
    if (hash !== undefined && hash.toLowerCase() !== toHex(client.trusted.hash))
      throw new ApiError("A light client looks up entries after the newest verified block only.");
    const { entry, block } = await refusing(explorer.getRegistryEntry(uri));
    const { shown } = await forms;
    const data =
      entry === undefined ? [] : ([shown(withoutMark(entry.par))].flatMap((expr) => expr ?? []) as JsonValue[]);
    return printed({ uri, data, blockNumber: block.number, blockHash: toHex(block.hash) });
  });
}

/** A mark of success around an entry is left out, as nodes do. @spec 50 §10.5 */
function withoutMark(par: Par): Par {
  const [expr] = par.exprs;
  const [mark, data] = expr?.kind === "ETuple" && expr.ps.length === 2 ? expr.ps : [];
  const isMark = mark?.exprs[0]?.kind === "GBool" ? mark.exprs[0].value : undefined;
  if (isMark === undefined || data === undefined) return par;
  return isMark ? data : parOfExpr(new GString("not found"));
}

/** In the words of nodes. @spec 50 §1.9 */
function programFailed(reason: string, cause: Error): ApiError {
  return new ApiError(`Unexpected error while capturing results from Rholang: ${reason}`, { cause });
}

function statusOf(client: LightClient): JsonValue {
  const { number } = client.trusted;
  const wrong = client.servers.find(({ state }) => state === "wrong" || state === "conflict");
  const peers = client.servers.filter(({ state }) => state === "agrees").length;
  return {
    address: "",
    version: versionText,
    peers,
    nodes: peers,
    peerList: [],
    syncStatus: {
      ...{ phase: "following", blockNumber: number, bestPeerBlockNumber: null, finalizedBlockNumber: number },
      progress: { unit: "blocks", done: Number(number), total: null, perSecond: 0 },
      ...{ blocksPerSecond: 0, secondsLeft: null, peers, unvalidatedBlocks: 0, revalidatedBlocks: 0 },
      lastError: wrong === undefined ? null : textOf(wrong),
    },
  };
}

function textOf({ url, reason }: ServerReport): string {
  return `${url} ${reason}`;
}

/** A final block has at least the network's threshold; nodes report 1 for those that are settled. @spec 50 §1.7 */
function factsOf(block: Block) {
  return { sizeBytes: encodeBlock(block).length, faultTolerance: 1, isFinalized: true };
}

function printed(json: JsonValue): JsonText {
  return new JsonText(printJson(json));
}

/** @throws {ApiError} */
function requireHash(text: string): Uint8Array {
  if (!hashForm.test(text)) throw new ApiError("A light client finds blocks by all 64 digits of their hashes only.");
  return fromHex(text);
}

/** @throws {ApiError} */
async function refusing<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (cause) {
    if (cause instanceof LightClientError) throw new ApiError(`Not verified: ${cause.message}`, { cause });
    if (cause instanceof ExecutionError || cause instanceof RangeError) throw programFailed(cause.message, cause);
    throw cause;
  }
}

/** @throws {Problem} */
async function reporting<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (cause) {
    if (cause instanceof LightClientError) throw new Problem(`Not verified: ${cause.message}.`, { status: 503, cause });
    throw cause;
  }
}
