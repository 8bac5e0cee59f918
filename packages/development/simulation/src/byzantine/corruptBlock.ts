import { blake2b256 } from "@vedette/crypto";
import type { BlockFields } from "@vedette/protocol";
import type { SeededRandom } from "../random/SeededRandom.js";

/** A block with an error that its signature does not reveal. */
export function corruptBlock(block: BlockFields, random: SeededRandom): BlockFields {
  const { header, body, justifications } = block;
  const { state } = body;
  const otherHash = blake2b256(block.hash);
  switch (random.below(9)) {
    case 0:
      return { ...block, body: { ...body, state: { ...state, postStateHash: otherHash } } };
    case 1:
      return { ...block, body: { ...body, state: { ...state, blockNumber: state.blockNumber + 1n } } };
    case 2:
      return { ...block, sequenceNumber: block.sequenceNumber + random.from(1, 3) };
    case 3: {
      const bonds = state.bonds.map((bond) => ({ ...bond, stake: bond.stake + 1n }));
      return { ...block, body: { ...body, state: { ...state, bonds } } };
    }
    case 4:
      return { ...block, justifications: justifications.slice(1) };
    case 5:
      return { ...block, extraBytes: block.extraBytes.subarray(0, 10) };
    case 6:
      return { ...block, header: { ...header, timestamp: header.timestamp + 60_000n } };
    case 7:
      return { ...block, body: { ...body, deploys: [...body.deploys, ...body.deploys.slice(0, 1)] } };
    default:
      return { ...block, body: { ...body, state: { ...state, preStateHash: otherHash } } };
  }
}
