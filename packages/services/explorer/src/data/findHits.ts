import type { LinkProps } from "@tanstack/react-router";
import { ClientError, type PlacedBlock, vaultAddressOfEthAddress } from "@vedette/client";
import { addressOfAccount } from "./addressOfAccount.js";
import { node } from "./node.js";
import { snippetOf } from "./programWords.js";
import { NoIndexError, queryIndex } from "./queryIndex.js";
import { shapeOf } from "./shapeOf.js";
import { liveChain } from "./useChain.js";

/** Something that a search has found, and its page. */
export interface SearchResult {
  readonly kind: string;
  readonly label: string;
  readonly to: LinkProps;
}

const maxBlocksOfHeight = 8;

/**
 * Finds what a text names on this node: blocks by height or the first digits of the hash, deploys by their id,
 * accounts by address, public key or Ethereum's address, URIs, deploys by words of their programs. The best come first.
 *
 * @throws the error that kept the node from answering, if nothing was found: the node may have a match
 */
export async function findHits(text: string, signal?: AbortSignal): Promise<SearchResult[]> {
  const shape = shapeOf(text);
  const hits: SearchResult[] = [];
  if (shape.address !== undefined) hits.push(accountHit(shape.address));
  if (shape.publicKey !== undefined) hits.push(accountHit(shape.publicKey));
  if (shape.ethAddress !== undefined) hits.push(...ethHits(shape.ethAddress));
  if (shape.uri !== undefined) hits.push(uriHit(shape.uri));
  const asked = await Promise.allSettled([
    blocksOfHeight(shape.height, signal),
    blocksOfHash(shape.blockHash, signal),
    deployOfId(shape.deployId, signal),
    deploysOfPrefix(shape.deployPrefix, signal),
    deploysOfWords(shape.words, signal),
  ]);
  const found = asked.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
  const failed = asked.find((one) => one.status === "rejected" && !saysNone(one.reason));
  if (hits.length + found.length === 0 && failed?.status === "rejected") throw failed.reason;
  return [...hits, ...found];
}

/** Whether that there is none was the answer. */
function saysNone(error: unknown): boolean {
  if (error instanceof NoIndexError) return true;
  if (!(error instanceof ClientError)) return false;
  const { failure } = error;
  return failure.code === "notOffered" || (failure.code === "refused" && [400, 404].includes(failure.status ?? 0));
}

function uriHit(uri: string): SearchResult {
  return { kind: "Contract", label: uri, to: { to: "/explorer/contract/$uri", params: { uri } } };
}

/** By the address or the key, which lead to one page. */
function accountHit(address: string): SearchResult {
  const params = { address: addressOfAccount(address) };
  return { kind: "Account", label: address, to: { to: "/explorer/account/$address", params } };
}

function ethHits(ethAddress: string): SearchResult[] {
  const address = vaultAddressOfEthAddress(ethAddress);
  return address === undefined ? [] : [accountHit(address)];
}

async function blocksOfHeight(height: number | undefined, signal?: AbortSignal): Promise<SearchResult[]> {
  if (height === undefined) return [];
  const blocks = await node.blockStatuses(BigInt(height), BigInt(height), { signal });
  return blocks.slice(0, maxBlocksOfHeight).map(blockHit);
}

/** No block with such a hash is not an error; shorter prefixes cannot be requested. */
async function blocksOfHash(digits: string | undefined, signal?: AbortSignal): Promise<SearchResult[]> {
  return digits === undefined ? [] : (await node.blocksOfHash(digits, { signal })).map(blockHit);
}

function blockHit({ blockHash, blockNumber }: PlacedBlock): SearchResult {
  const to = { to: "/explorer/block/$hash", params: { hash: blockHash } } as const;
  return { kind: `Block #${blockNumber}`, label: blockHash, to };
}

async function deployOfId(id: string | undefined, signal?: AbortSignal): Promise<SearchResult[]> {
  if (id === undefined) return [];
  const [found] = await node.deployStatuses([id], { signal });
  return found === null ? [] : [{ kind: "Deploy", label: id, to: { to: "/explorer/deploy/$id", params: { id } } }];
}

const maxDeploys = 8;

/** By the index, where the node has one: `/graphql` finds deploys by the first digits. */
async function deploysOfPrefix(prefix: string | undefined, signal?: AbortSignal): Promise<SearchResult[]> {
  if (prefix === undefined) return [];
  const near = liveChain.view().deploys.filter(({ id }) => id.startsWith(prefix) && id !== prefix);
  const found = await indexedDeploys(prefix, signal).catch((error: unknown) => {
    if (near.length > 0) return [];
    throw error;
  });
  const ids = [...new Set([...near.map(({ id }) => id), ...found])].filter((id) => id !== prefix);
  return ids.slice(0, maxDeploys).map((id) => ({
    ...{ kind: "Deploy", label: id, to: { to: "/explorer/deploy/$id", params: { id } } },
  }));
}

async function indexedDeploys(prefix: string, signal?: AbortSignal): Promise<string[]> {
  const document = "query ($like: String!) { deployments(where: {sig: {_ilike: $like}}, limit: 8) { sig } }";
  const { deployments } = await queryIndex<{ deployments: { sig: string }[] }>(
    document,
    { like: `${prefix}%` },
    signal,
  );
  return deployments.map(({ sig }) => sig);
}

const byWords = `query ($words: String!) { search_deployments(args: {query: $words}, limit: 8) {
  deploy_id block_number term } }`;

interface FoundDeploy {
  readonly deploy_id: string;
  readonly block_number: string;
  readonly term: string;
}

/** Finds deploys with programs that have all of the words; this needs an index. */
async function deploysOfWords(words: readonly string[], signal?: AbortSignal): Promise<SearchResult[]> {
  if (words.length === 0) return [];
  // A user who is typing may not have finished the last word.
  const query = `${words.join(" ")}*`;
  const found = await queryIndex<{ search_deployments: FoundDeploy[] }>(byWords, { words: query }, signal);
  return found.search_deployments.map(({ deploy_id: id, block_number: number, term }) => ({
    kind: `Program in #${number}`,
    label: snippetOf(term, words),
    to: { to: "/explorer/deploy/$id", params: { id } },
  }));
}
