import { type IndexLocation, openDatabase } from "../database/openDatabase.js";
import type { IndexBlockFacts } from "../facts/IndexBlockFacts.js";
import { migrate } from "../schema/migrate.js";
import { ChangeWriter } from "../write/ChangeWriter.js";
import { madeBlock, madeDeploy, madeHash, madeUser } from "./madeBlocks.js";

const [u1, u2] = [madeUser("u1"), madeUser("u2")];

/** Ten blocks, of which each third one has two deploys, of which one moves something. */
export function madeChain(): IndexBlockFacts[] {
  return Array.from({ length: 10 }, (_, number) => {
    const name = `b${number}`;
    const parents = number === 0 ? [] : [madeHash(`block b${number - 1}`)];
    if (number % 3 !== 0) return madeBlock(name, number, { parents });
    const deploys = [
      madeDeploy(`${name} pay`, { term: `match "x" { y => hello_${number} }`, cost: BigInt(number) }),
      madeDeploy(`${name} fail`, { errored: true, error: "boom", deployer: u2.key, cost: 1_000n }),
    ];
    const moved = { kind: "deploy", from: u1.address, to: u2.address, failReason: undefined } as const;
    const transfers = [{ ...moved, amount: 150_000_000n * BigInt(number), deployId: deploys[0]!.id }];
    return madeBlock(name, number, {
      parents,
      deploys,
      transfers,
      balances: [{ address: u1.address, dust: 2n ** 60n }],
    });
  });
}

/** Makes the tables, and writes blocks into them. @param final how many of them become final */
export async function fillIndex(place: IndexLocation, blocks: readonly IndexBlockFacts[], final = 0): Promise<void> {
  await using database = await openDatabase(place);
  await migrate(database);
  const writer = new ChangeWriter(database);
  const added = blocks.map((block) => ({ kind: "blockAdded", block }) as const);
  await writer.write(added, { cursor: "c", backfill: undefined });
  const finalized = blocks
    .slice(0, final)
    .map(({ hash }) => ({ kind: "blockFinalized", hash, rejections: [] }) as const);
  if (finalized.length > 0) await writer.write(finalized, { cursor: "d", backfill: undefined });
}
