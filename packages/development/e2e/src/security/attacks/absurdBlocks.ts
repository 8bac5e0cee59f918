import { fromHex } from "@vedette/crypto";
import { type Block, type BlockFields, decodeBlock, rnode } from "@vedette/protocol";
import { HostilePeer, randomHashes, signedAs, signerOf } from "../../network/HostilePeer.js";
import type { Attack } from "../Attack.js";
import type { AttackedNode } from "../AttackedNode.js";
import { indexGoesOn } from "./indexGoesOn.js";
import { repeat } from "./requests.js";

const strangers = ["stranger one", "stranger two", "stranger three"].map(signerOf);
const numbers = [1n << 62n, (1n << 63n) - 1n, -1n, -(1n << 63n), 1_000_000n, 0n];
/** More blocks than any run of this suite makes. */
const impossibleHeight = 100_000;

/** Makes a block with impossible values, signed by a key without stake. */
function absurd(good: Block, at: number): Block {
  const number = numbers[at % numbers.length]!;
  const state = { ...good.body.state, blockNumber: number };
  const bonds = randomHashes(500, 65).map((validator) => ({ validator, stake: 1n << 62n }));
  const justifications = randomHashes(1_000).map((latestBlockHash) => ({ validator: good.sender, latestBlockHash }));
  const changes: readonly Partial<BlockFields>[] = [
    { body: { ...good.body, state } },
    { body: { ...good.body, state: { ...state, bonds } } },
    { body: { ...good.body, state: { ...state, postStateHash: randomHashes(1)[0]! } }, sequenceNumber: -1 },
    { header: { ...good.header, parents: [good.hash] }, body: { ...good.body, state }, sequenceNumber: 2_147_483_647 },
    { header: { ...good.header, parents: randomHashes(1_000) } },
    { header: { ...good.header, timestamp: number } },
    { justifications },
  ];
  const fields = { ...good, ...changes[at % changes.length], extraBytes: randomHashes(1)[0]! };
  return signedAs(fields, strangers[at % strangers.length]!);
}

/** Announces and gives blocks of keys without stake, with numbers, times, parents and states that cannot be. */
export const absurdBlocks: Attack<AttackedNode> = {
  name: "peers: blocks of strangers with absurd numbers",
  async run(target, enough) {
    const { networkId } = target.network;
    const node = { address: () => target.address(), lines: [] };
    await using peer = await HostilePeer.connect(node, { networkId, dialect: rnode });
    const newest = fromHex(await target.newestBlock());
    const good = decodeBlock(await peer.fetch(newest), rnode.blockForm);
    await repeat(enough, 1, (_, round) => peer.announce(absurd(good, round)).catch(() => undefined));
    await indexGoesOn(target);
    const heights = await Promise.all(target.network.names.map((name) => target.network.heights(name)));
    return heights.flatMap((one) => {
      const isPossible = one !== undefined && one.height > 0 && one.height < impossibleHeight;
      return isPossible ? [] : [`a height of ${one?.height}`];
    });
  },
};
