import {
  balanceRoute,
  bondStatusRoute,
  epochRewardsRoute,
  epochRoute,
  registryRoute,
  validatorRoute,
  validatorsRoute,
} from "@vedette/api";
import type { BlockMetadata } from "@vedette/chain";
import { checkVaultAddress, equalBytes, fromHex, toHex } from "@vedette/crypto";
import { type ApiQueries, Problem } from "@vedette/queries";
import type { FastifyInstance } from "fastify";
import { failureOf } from "./f1r3node/programFailure.js";
import { mapToF1r3nodeProblem } from "./f1r3node/stateKinds.js";
import { JsonText } from "./JsonText.js";
import { type RequestContext, serve } from "./serve.js";

interface BlockQuery {
  readonly block_hash?: string | undefined;
}

/**
 * Accounts, validators, epochs and the registry, in f1r3node's form: on networks of either dialect, since clients
 * request them on any.
 *
 * @spec 50 §1.14, §10.5
 */
export function registerNetworkQueries(server: FastifyInstance, queries: ApiQueries): void {
  const { blocks, validators, balances, epochs } = queries;
  const blockOf = ({ block_hash: name }: BlockQuery) =>
    name === undefined ? blocks.requireLastFinalized() : blocks.requireBlock(name);
  serve(server, balanceRoute, async ({ params: { address }, query }, { signal }) => {
    const fault = checkVaultAddress(address);
    if (fault !== undefined) throw unfit(`address is no vault address: ${fault}.`);
    const block = blockOf(query);
    const [balance] = (await mapToF1r3nodeProblem(balances.balances([address], toHex(block.hash), signal))).balances;
    return { address, balance: balance!, ...placeOf(block) };
  });
  serve(server, validatorsRoute, async ({ query }) => {
    const block = blockOf(query);
    const bonds = await validators.bondsOf(block);
    return {
      validators: bonds.map(({ validator, stake }) => ({ publicKey: toHex(validator), stake })),
      totalStake: bonds.reduce((sum, { stake }) => sum + stake, 0n),
      ...placeOf(block),
    };
  });
  serve(server, validatorRoute, async ({ params: { publicKey }, query }) => {
    const key = keyOf(publicKey);
    const block = blockOf(query);
    const bond = (await validators.bondsOf(block)).find(({ validator }) => equalBytes(validator, key));
    return { publicKey, isBonded: bond !== undefined, stake: bond?.stake ?? null, ...placeOf(block) };
  });
  serve(server, bondStatusRoute, async ({ params: { publicKey } }) => {
    const isBonded = await validators.isBonded(keyOf(publicKey));
    return { publicKey, isBonded };
  });
  serve(server, epochRoute, ({ query }) => {
    const { number, hash } = blockOf(query);
    const { epochLength, quarantineLength } = epochs;
    return {
      currentEpoch: number / epochLength,
      ...{ epochLength, quarantineLength },
      blocksUntilNextEpoch: epochLength - (number % epochLength),
      lastFinalizedBlockNumber: number,
      blockHash: toHex(hash),
    };
  });
  registerPrograms(server, queries, blockOf);
}

/** Registers the answers that programs of our own query from the contracts. */
function registerPrograms(
  server: FastifyInstance,
  { explore, rules }: ApiQueries,
  blockOf: (query: BlockQuery) => BlockMetadata,
): void {
  const run = async (term: string, block: BlockMetadata, { request, signal }: RequestContext) => {
    const program = { term, blockHash: toHex(block.hash), usePreStateHash: false, client: request.ip };
    const end = await explore.attempt(program, "json", signal);
    if ("error" in end) throw failureOf(end);
    return end.values.terms.map(String);
  };
  serve(server, registryRoute, async ({ params: { uri }, query }, context) => {
    if (!/^[a-z]+:[^\s`]{1,300}$/.test(uri)) throw unfit("uri must be one, such as rho:system:pos.");
    const block = blockOf(query);
    const data = await run(lookUp(uri), block, context);
    return new JsonText(`{"uri":${JSON.stringify(uri)},"data":[${data.join(",")}],${membersOf(block)}}`);
  });
  serve(server, epochRewardsRoute, async ({ query }, context) => {
    const block = blockOf(query);
    const [rewards] = await run(queryRewards(rules.proofOfStake), block, context);
    if (rewards === undefined) throw new Problem("Proof of stake did not answer.", { status: 500 });
    return new JsonText(`{"rewards":${rewards},${membersOf(block)}}`);
  });
}

/** A program that looks up an entry of the registry; a marker of success around it is left out. @spec 50 §10.5 */
function lookUp(uri: string): string {
  return `new return, lookup(\`rho:registry:lookup\`), found in {
    lookup!(\`${uri}\`, *found) |
    for (@entry <- found) {
      match entry { (true, data) => return!(data)  (false, _) => return!("not found")  Nil => Nil  _ => return!(entry) }
    }
  }`;
}

function queryRewards(proofOfStake: string): string {
  return `new return, lookup(\`rho:registry:lookup\`), found in {
    lookup!(\`${proofOfStake}\`, *found) |
    for (@(_, pos) <- found) { @pos!("getCurrentEpochRewards", *return) }
  }`;
}

function placeOf({ number, hash }: BlockMetadata) {
  return { blockNumber: number, blockHash: toHex(hash) };
}

function membersOf({ number, hash }: BlockMetadata): string {
  return `"blockNumber":${number},"blockHash":"${toHex(hash)}"`;
}

/** @throws {Problem} */
function keyOf(text: string): Uint8Array {
  if (!/^04[0-9a-fA-F]{128}$/.test(text))
    throw unfit("publicKey must be a public key: 04 and 128 more hexadecimal digits.");
  return fromHex(text);
}

function unfit(message: string): Problem {
  return new Problem(message, { kind: "illegal_argument" });
}
