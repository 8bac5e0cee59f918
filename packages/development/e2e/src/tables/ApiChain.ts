import { blockBytesRoute } from "@vedette/api";
import type { DeployStatus, FullBlock, HttpClient, TransfersPage } from "@vedette/client";
import { checkVaultAddress, toHex, vaultAddressOfPublicKey } from "@vedette/client";
import { proofOfStakeAddress } from "@vedette/execution";
import { type Block, decodeBlock, rnode } from "@vedette/protocol";
import { until } from "@vedette/testing";

export type ApiTransfer = TransfersPage["transfers"][number];
/** The status of a block. */
export type ApiBlockStatus = "pending" | "finalized" | "forkedAway";

/** A block with everything that the HTTP API returns of it. */
export interface ApiBlockRow {
  readonly info: FullBlock["blockInfo"];
  readonly deploys: FullBlock["deploys"];
  /** As peers send it. */
  readonly block: Block;
  readonly fate: ApiBlockStatus;
  /** In the block's order. */
  readonly transfers: readonly ApiTransfer[];
}

/** A chain as its node's HTTP API returns it. */
export interface ApiChain {
  /** The lowest first; of a height, by the hash. */
  readonly blocks: readonly ApiBlockRow[];
  /** By the deploy's id. */
  readonly deploys: ReadonlyMap<string, DeployStatus>;
  readonly epochLength: bigint;
  readonly quarantineLength: bigint;
}

/** Heights that are requested at once, and requests that are sent concurrently. */
const heightsAtOnce = 50;
const questionsAtOnce = 4;

/** Requests all data of a node about its chain, which has stopped growing. */
export async function fetchApiChain(client: HttpClient): Promise<ApiChain> {
  const { blockInfo: last } = await client.lastFinalizedBlock();
  const top = (await client.newestBlocks())[0]!.blockNumber;
  const lights: FullBlock["blockInfo"][] = [];
  for (let from = 0; from <= Number(top); from += heightsAtOnce)
    lights.push(...(await client.blockSpan(from, Math.min(Number(top), from + heightsAtOnce - 1))));
  const bare = await inTurns(lights, async ({ blockHash }) => {
    const { blockInfo: info, deploys } = await client.block(blockHash);
    const { bytes } = await client.call(blockBytesRoute, { params: { hash: blockHash } });
    const block = decodeBlock(bytesOf(bytes), rnode.blockForm);
    // Blocks of one network that were replayed are decided about when the last final block is.
    const isBelow = BigInt(info.blockNumber) <= BigInt(last.blockNumber);
    const fate: ApiBlockStatus = (await client.isFinalized(blockHash))
      ? "finalized"
      : isBelow
        ? "forkedAway"
        : "pending";
    return { info, deploys, block, fate };
  });
  await untilAccountsAreThere(client);
  const transfers = await readTransfers(client, bare);
  const blocks = bare.map((one) => ({ ...one, transfers: transfers.get(one.info.blockHash) ?? [] }));
  blocks.sort(byPlace);
  const ids = [...new Set(blocks.flatMap(({ deploys }) => deploys.map(({ sig }) => sig)))];
  const statuses = await readDeploys(client, ids);
  const [epochLength, quarantineLength] = [
    await queryPos(client, "getEpochLength"),
    await queryPos(client, "getQuarantineLength"),
  ];
  return { blocks, deploys: statuses, epochLength, quarantineLength };
}

/** Tries for a deploy's errors: a busy node leaves them out, and returns them later. */
const maxTries = 4;

/** Reads one after the other: a client may have as many blocks replayed at once as the status of one deploy needs. */
async function readDeploys(client: HttpClient, ids: readonly string[]): Promise<Map<string, DeployStatus>> {
  const found = new Map<string, DeployStatus>();
  for (const id of ids)
    for (let tries = 1; tries <= maxTries; tries += 1) {
      const status = await client.deployStatus(id);
      found.set(id, status);
      if (!status.blocks.some(({ errored, errors }) => errored && errors === null)) break;
      if (status.blocks.some(({ errored, errors }) => errored && errors !== null)) break;
    }
  return found;
}

function byPlace(left: ApiBlockRow, right: ApiBlockRow): number {
  const heights = Number(left.info.blockNumber) - Number(right.info.blockNumber);
  return heights !== 0 ? heights : left.info.blockHash < right.info.blockHash ? -1 : 1;
}

/** The index of accounts is made beside the chain. */
async function untilAccountsAreThere(client: HttpClient): Promise<void> {
  await until("the index of accounts to be complete", async () => {
    const { index } = await client.transfers({ address: proofOfStakeAddress, limit: 1 });
    return index.isComplete && index.blocks === index.total;
  });
}

async function inTurns<T, U>(items: readonly T[], ask: (item: T) => Promise<U>): Promise<U[]> {
  const answers: U[] = [];
  for (let at = 0; at < items.length; at += questionsAtOnce)
    answers.push(...(await Promise.all(items.slice(at, at + questionsAtOnce).map(ask))));
  return answers;
}

/** Reads the transfers of each block: from vault to vault, as far as one leads to another. */
async function readTransfers(
  client: HttpClient,
  blocks: readonly Pick<ApiBlockRow, "deploys">[],
): Promise<Map<string, ApiTransfer[]>> {
  const terms = blocks.flatMap(({ deploys }) => deploys);
  const waiting = [...new Set(terms.flatMap(({ deployer }) => vaultAddressOfPublicKey(bytesOf(deployer)) ?? []))];
  for (const { term } of terms)
    for (const [word] of term.matchAll(/1111\w+/g)) if (checkVaultAddress(word) === undefined) waiting.push(word);
  const asked = new Set<string>();
  const found = new Map<string, Map<number, ApiTransfer>>();
  for (let address = waiting.pop(); address !== undefined; address = waiting.pop()) {
    if (asked.has(address)) continue;
    asked.add(address);
    for await (const transfer of client.everyTransfer({ address, forks: true, limit: 200 })) {
      const { blockHash } = transfer.block;
      const ofBlock = found.get(blockHash) ?? new Map<number, ApiTransfer>();
      found.set(blockHash, ofBlock.set(transfer.index, transfer));
      for (const other of [transfer.from, transfer.to]) if (checkVaultAddress(other) === undefined) waiting.push(other);
    }
  }
  return new Map([...found].map(([hash, some]) => [hash, [...some.values()].sort((a, b) => a.index - b.index)]));
}

async function queryPos(client: HttpClient, method: string): Promise<bigint> {
  const term = `new return, lookup(\`rho:registry:lookup\`), posCh in {
    lookup!(\`rho:rchain:pos\`, *posCh) | for (@(_, pos) <- posCh) { @pos!("${method}", *return) } }`;
  const { values } = await client.explore(term);
  return BigInt(String(values[0]));
}

/** The bytes of hexadecimal digits. */
export function bytesOf(digits: string): Uint8Array {
  return new Uint8Array(Buffer.from(digits, "hex"));
}

/** The hexadecimal digits of bytes. */
export const digitsOf = toHex;
