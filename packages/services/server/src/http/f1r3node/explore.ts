import {
  f1r3nodeDataAtBlockRoute,
  f1r3nodeExploreAtBlockRoute,
  f1r3nodeExploreRoute,
  f1r3nodeExploreTermRoute,
} from "@vedette/api";
import type { BlockMetadata } from "@vedette/chain";
import { fromHexPadded, toHex } from "@vedette/crypto";
import { ApiError, type ApiQueries, type BlockQueries, Problem, shownName } from "@vedette/queries";
import type { FastifyInstance } from "fastify";
import { unforgeableOf } from "../dataAtName.js";
import { termOf } from "../exploreDeploy.js";
import { JsonText } from "../JsonText.js";
import { serve } from "../serve.js";
import { failureOf } from "./programFailure.js";

type Reads = Pick<ApiQueries, "blocks" | "explore" | "names">;

/** A program, and where it is run; left out: on the last finalized state. */
interface ExploredProgram {
  readonly term: string;
  readonly at?: BlockMetadata;
  readonly usePreStateHash?: boolean | undefined;
}

/** Programs that are run on a state, and what lies on names. @spec 50 §10.4 */
export function registerF1r3nodeExplorations(server: FastifyInstance, { blocks, explore, names }: Reads): void {
  const run = async ({ term, at, usePreStateHash = false }: ExploredProgram, client: string, signal: AbortSignal) => {
    const blockHash = at === undefined ? "" : toHex(at.hash);
    const end = await explore.attempt({ term, blockHash, usePreStateHash, client }, "json", signal);
    if ("error" in end) throw failureOf(end);
    return new JsonText(explore.responseText(end));
  };
  serve(server, f1r3nodeExploreRoute, ({ body }, { signal, request }) => run(body, request.ip, signal));
  serve(server, f1r3nodeExploreTermRoute, ({ body }, { signal, request }) =>
    run({ term: termOf(body) }, request.ip, signal),
  );
  serve(server, f1r3nodeExploreAtBlockRoute, ({ body }, { signal, request }) => {
    const { term, usePreStateHash } = body;
    return run({ term, usePreStateHash, at: blockNamed(blocks, body.blockHash.trim()) }, request.ip, signal);
  });
  serve(server, f1r3nodeDataAtBlockRoute, async ({ body }, { signal, request }) => {
    const block = blockNamed(blocks, body.blockHash.trim());
    const root = body.usePreStateHash === true ? block.preStateHash : block.postStateHash;
    const asker = { client: request.ip, signal };
    const data = await names.lookAtBlock(unforgeableOf(body.name), { block, root, form: "json" }, asker);
    return new JsonText(`{"expr":[${(data?.terms ?? []).join(",")}],"block":${blocks.lightText(block)},"cost":0}`);
  });
}

/** @throws {Problem} */
function blockNamed(blocks: BlockQueries, name: string): BlockMetadata {
  blocks.requireLastFinalized();
  if (name === "") throw new Problem("blockHash is required.", { kind: "invalid_hash" });
  const hash = fromHexPadded(name);
  if (hash === undefined)
    throw new ApiError(`blockHash must be hexadecimal digits: ${shownName(name)}`, { reason: "invalidHash" });
  const found = blocks.find(hash);
  if (found === undefined) throw new ApiError(`Block not found: ${shownName(name)}`, { reason: "unknownBlock" });
  return found;
}
