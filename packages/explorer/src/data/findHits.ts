import type { LinkProps } from "@tanstack/react-router";
import { ClientError, checkVaultAddress, vaultAddressOfEthAddress } from "@vedette/client";
import { askIndex, NoIndexError } from "./askIndex.js";
import { node } from "./node.js";
import { snippetOf, wordsOf } from "./programWords.js";
import { liveChain } from "./useChain.js";

/** Something that a search has found, and its page. */
export interface Hit {
  readonly kind: string;
  readonly label: string;
  readonly to: LinkProps;
}

const mostBlocksOfHeight = 8;

/** What a text may name: of a text alone, without asking anybody. */
export function shapeOf(text: string) {
  const hex = /^(0x)?([0-9a-fA-F]+)$/.exec(text)?.[2]?.toLowerCase();
  const isKey = hex?.length === 130 && hex.startsWith("04");
  const address = checkVaultAddress(text) === undefined ? text : undefined;
  const uri = /^`?rho:[\w:.-]{1,250}`?$/.test(text) ? text.replaceAll("`", "") : undefined;
  return {
    height: /^#?\d{1,15}$/.test(text) ? Number(text.replace("#", "")) : undefined,
    address,
    ethAddress: hex?.length === 40 ? hex : undefined,
    publicKey: isKey ? hex : undefined,
    blockHash: hex !== undefined && hex.length >= 6 && hex.length <= 64 ? hex : undefined,
    deployId: hex !== undefined && hex.length >= 128 && hex.length <= 160 && !isKey ? hex : undefined,
    deployPrefix: hex !== undefined && hex.length >= 6 && hex.length < 160 && !isKey ? hex : undefined,
    uri,
    words: address === undefined && uri === undefined ? wordsOf(text) : [],
  };
}

/**
 * Finds what a text names on this node: blocks by height or the first digits of the hash, deploys by their id,
 * accounts by address, public key or Ethereum's address, URIs, deploys by words of their programs. The best come first.
 *
 * @throws what kept the node from answering, where nothing was found: it may have what was asked for
 */
export async function findHits(text: string, signal?: AbortSignal): Promise<Hit[]> {
  const shape = shapeOf(text);
  const hits: Hit[] = [];
  if (shape.address !== undefined) hits.push(accountHit(shape.address));
  if (shape.publicKey !== undefined) hits.push(accountHit(shape.publicKey));
  if (shape.ethAddress !== undefined) hits.push(...ethHits(shape.ethAddress));
  if (shape.uri !== undefined)
    hits.push({ kind: "URI", label: shape.uri, to: { to: "/explorer/state", search: { by: "uri", of: shape.uri } } });
  const asked = await Promise.allSettled([
    blocksOfHeight(shape.height, signal),
    blockOfPrefix(shape.blockHash, signal),
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

function accountHit(address: string): Hit {
  return { kind: "Account", label: address, to: { to: "/explorer/account/$address", params: { address } } };
}

function ethHits(ethAddress: string): Hit[] {
  const address = vaultAddressOfEthAddress(ethAddress);
  return address === undefined ? [] : [accountHit(address)];
}

async function blocksOfHeight(height: number | undefined, signal?: AbortSignal): Promise<Hit[]> {
  if (height === undefined) return [];
  const blocks = await node.blockSpan(height, height, { signal });
  return blocks.slice(0, mostBlocksOfHeight).map(({ blockHash, blockNumber }) => ({
    kind: `Block #${blockNumber}`,
    label: blockHash,
    to: { to: "/explorer/block/$hash", params: { hash: blockHash } },
  }));
}

async function blockOfPrefix(prefix: string | undefined, signal?: AbortSignal): Promise<Hit[]> {
  if (prefix === undefined) return [];
  const found = await node.block(prefix, { signal });
  const { blockHash, blockNumber } = found.blockInfo;
  return [
    {
      kind: `Block #${blockNumber}`,
      label: blockHash,
      to: { to: "/explorer/block/$hash", params: { hash: blockHash } },
    },
  ];
}

async function deployOfId(id: string | undefined, signal?: AbortSignal): Promise<Hit[]> {
  if (id === undefined) return [];
  await node.deployStatus(id, { signal });
  return [{ kind: "Deploy", label: id, to: { to: "/explorer/deploy/$id", params: { id } } }];
}

const mostDeploys = 8;

/** By the index, where the node has one: `/graphql` finds deploys by the first digits. */
async function deploysOfPrefix(prefix: string | undefined, signal?: AbortSignal): Promise<Hit[]> {
  if (prefix === undefined) return [];
  const near = liveChain.view().deploys.filter(({ id }) => id.startsWith(prefix) && id !== prefix);
  const found = await indexedDeploys(prefix, signal).catch((error: unknown) => {
    if (near.length > 0) return [];
    throw error;
  });
  const ids = [...new Set([...near.map(({ id }) => id), ...found])].filter((id) => id !== prefix);
  return ids.slice(0, mostDeploys).map((id) => ({
    ...{ kind: "Deploy", label: id, to: { to: "/explorer/deploy/$id", params: { id } } },
  }));
}

async function indexedDeploys(prefix: string, signal?: AbortSignal): Promise<string[]> {
  const document = "query ($like: String!) { deployments(where: {sig: {_ilike: $like}}, limit: 8) { sig } }";
  const { deployments } = await askIndex<{ deployments: { sig: string }[] }>(document, { like: `${prefix}%` }, signal);
  return deployments.map(({ sig }) => sig);
}

const byWords = `query ($words: String!) { search_deployments(args: {query: $words}, limit: 8) {
  deploy_id block_number term } }`;

interface FoundDeploy {
  readonly deploy_id: string;
  readonly block_number: string;
  readonly term: string;
}

/** Deploys whose programs have all of the words; only an index knows. */
async function deploysOfWords(words: readonly string[], signal?: AbortSignal): Promise<Hit[]> {
  if (words.length === 0) return [];
  // Who types has not come to the end of the last word.
  const query = `${words.join(" ")}*`;
  const found = await askIndex<{ search_deployments: FoundDeploy[] }>(byWords, { words: query }, signal);
  return found.search_deployments.map(({ deploy_id: id, block_number: number, term }) => ({
    kind: `In #${number}`,
    label: snippetOf(term, words),
    to: { to: "/explorer/deploy/$id", params: { id } },
  }));
}
