import { madeBlock, madeDeploy, madeHash, madeUser } from "@vedette/indexer/testing";
import type {
  ChainFeed,
  FeedBlocks,
  FeedChanges,
  FeedTop,
  IndexBlockFacts,
  IndexChange,
} from "@vedette/indexer/writing";

const atOnce = 64;
const users = Array.from({ length: 200 }, (_, index) => madeUser(`user ${index}`));
const words = ["lantern", "harbour", "meadow", "granite", "whistle", "ember", "orchard", "saddle"];

/** Generates the facts of a finalized chain without execution: two deploys, a transfer and two balances per block. */
export class GeneratedHistory implements ChainFeed {
  readonly #blocks: number;
  #isDone: () => void = () => {};
  readonly done = new Promise<void>((resolve) => {
    this.#isDone = resolve;
  });

  constructor(blocks: number) {
    this.#blocks = blocks;
  }

  async about() {
    return { begunWith: madeHash("block 0"), epoch: { epochLength: 100n, quarantineLength: 500n } };
  }

  async top(): Promise<FeedTop> {
    return { cursor: "made", nextHeight: BigInt(this.#blocks) };
  }

  async blocks(from: bigint): Promise<FeedBlocks> {
    const first = Number(from);
    const last = Math.min(this.#blocks, first + atOnce);
    const changes: IndexChange[] = [];
    for (let number = first; number < last; number += 1)
      changes.push({ kind: "blockAdded", block: historicBlock(number) });
    return { changes, next: last < this.#blocks ? BigInt(last) : undefined, top: BigInt(this.#blocks) };
  }

  async changes(cursor: string): Promise<FeedChanges> {
    return { kind: "changes", changes: [], cursor, hasMore: false };
  }

  async wait(signal: AbortSignal): Promise<void> {
    this.#isDone();
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  }
}

function historicBlock(number: number): IndexBlockFacts {
  const [from, to] = [users[number % users.length]!, users[(number * 7 + 1) % users.length]!];
  const transfer = madeDeploy(`transfer ${number}`, {
    ...{ deployer: from.key, timestamp: 1_700_000_000_000n + BigInt(number) * 5_000n },
    term: `@"ASIVault"!("transfer", "${from.address}", "${to.address}", ${number})`,
  });
  const text = `${words[number % words.length]} ${words[(number >> 3) % words.length]} number${number}`;
  const program = madeDeploy(`program ${number}`, {
    ...{ deployer: to.key, timestamp: 1_700_000_000_001n + BigInt(number) * 5_000n },
    ...{ term: `contract @"notes"(@text) = { @"kept"!("${text}", text) }`, errored: number % 50 === 0 },
  });
  const moved = { from: from.address, to: to.address, amount: BigInt(number + 1), failReason: undefined };
  return madeBlock(String(number), number, {
    parents: number === 0 ? [] : [madeHash(`block ${number - 1}`)],
    deploys: [transfer, program],
    transfers: [{ kind: "deploy", ...moved, deployId: transfer.id }],
    balances: [from, to].map(({ address }) => ({ address, dust: BigInt(number) })),
    fate: "finalized",
    faultTolerance: 1,
  });
}
