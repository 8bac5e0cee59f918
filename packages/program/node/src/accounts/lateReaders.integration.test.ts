import { transferTerm } from "@vedette/client";
import { findTransfers, mergeableIdOf } from "@vedette/execution";
import { decodeStoredBlock, rnode } from "@vedette/protocol";
import { transferEntries } from "@vedette/queries";
import type { Store } from "@vedette/store";
import { seededRandom, until } from "@vedette/testing";
import { expect, test } from "vitest";
import { AccountNode, accountGenesis, addressOf } from "../testing/AccountNode.js";
import { LateView } from "../testing/LateView.js";
import { userDeploy } from "../testing/SoloValidator.js";

const users = ["u1", "u2", "u3"] as const;
const blocks = 8;

/** Every transfer of an account, by the blocks themselves and what executing them has shown, the latest first. */
function recomputed({ validator, states }: AccountNode, address: string) {
  const { dag, blocks: stored } = validator.chain;
  return [...dag.blocksByHeight(0n, dag.nextBlockNumber())]
    .flatMap(({ hash }) => {
      const block = decodeStoredBlock(stored.findBytes(hash)!, rnode.blockForm);
      const moved = findTransfers(states, mergeableIdOf(block));
      return moved === undefined ? [] : transferEntries(block, moved);
    })
    .filter(({ from, to }) => from === address || to === address)
    .toReversed();
}

function listedTransfers({ accounts }: AccountNode, address: string) {
  const { entries } = accounts.queries.transfers({ address, limit: 1_000, after: undefined, forks: true });
  return entries.map(({ entry }) => entry);
}

test("no transfer is lost where readers are behind the executor", async () => {
  const random = seededRandom(36);
  const below = (end: number) => Math.floor(random() * end);
  let view!: LateView;
  const see = (states: Store) => {
    view = new LateView(states, "state");
    return view.store;
  };
  await using node = new AccountNode(see);
  await node.begin("v1", await accountGenesis());
  view.catchUp();
  node.run();
  const makeBlock = async () => {
    for (let deploy = below(3); deploy >= 0; deploy -= 1) {
      const [from, to] = [users[below(3)]!, users[below(3)]!];
      const term = transferTerm(addressOf(from), addressOf(to), BigInt(1 + below(100)), "rnode");
      expect(await node.validator.proposing.submit(userDeploy(from, term))).toBeUndefined();
    }
    await node.make();
  };
  for (let block = 0; block < blocks; block += 1) {
    await makeBlock();
    // The index receives the block; its readers see the block at once, after some blocks, or much later.
    if (below(2) === 0) await until("the requests of the index", () => node.index.size === node.index.wanted);
    if (below(4) === 0) view.catchUp();
  }
  // Until they are seen it must not report that nothing is missing.
  await makeBlock();
  const { dag } = node.validator.chain;
  await until("the index to have all blocks", () => node.index.size === node.index.wanted);
  expect(node.accounts.queries.facts()).toMatchObject({ isComplete: false, total: Number(dag.nextBlockNumber()) });
  view.catchUp();
  await node.complete();
  expectAll(node);
  // Transfers that an earlier version lost are found again, once: its tables have the same mark for these blocks as for
  // blocks with unknown transfers.
  const lost = forgetAsBefore(node);
  expect(lost).toBeGreaterThan(0);
  node.open();
  expect(node.accounts.queries.facts()).toMatchObject({ isComplete: false });
  const ended = new AbortController();
  const running = node.accounts.run(ended.signal);
  await node.complete();
  ended.abort();
  await running;
  expectAll(node);
});

function expectAll(node: AccountNode): void {
  for (const user of users) {
    const wanted = recomputed(node, addressOf(user));
    expect(wanted.length).toBeGreaterThan(0);
    expect(listedTransfers(node, addressOf(user))).toEqual(wanted);
  }
  expect(node.accounts.queries.facts()).toMatchObject({ isComplete: true, transfersSince: 0n });
}

/** Leaves the tables as earlier versions left them where a reader was behind. @returns transfers that are lost */
function forgetAsBefore({ store, validator }: AccountNode): number {
  const { dag } = validator.chain;
  const kindAt = 20;
  let lost = 0;
  store.write((tables) => {
    for (const [key] of [...tables("historyOfAddress").range()]) {
      if (key[kindAt] !== 1) continue;
      tables("historyOfAddress").delete(key);
      lost += 1;
    }
    for (const { hash, height } of dag.blocksByHeight(0n, dag.nextBlockNumber())) {
      const key = new Uint8Array(40);
      new DataView(key.buffer).setBigUint64(0, height);
      key.set(hash, 8);
      tables("historyGaps").put(key, new Uint8Array());
      tables("historyBlocks").put(hash, Uint8Array.of(0));
    }
  });
  return lost;
}
