import { emptyBytes } from "@vedette/crypto";
import { Block, type BlockCodec, type Body, encodeBlock } from "@vedette/protocol";

const emptyBlock = {
  hash: emptyBytes,
  header: { parents: [], timestamp: 0n, version: 0n, extraBytes: emptyBytes },
  justifications: [],
  sender: emptyBytes,
  sequenceNumber: 0,
  signature: emptyBytes,
  signatureAlgorithm: "",
  shardId: "",
  extraBytes: emptyBytes,
} as const;

/** The body of a block that was made, in the encoding of a block that has nothing else. */
export function encodePlayed(body: Body, form: BlockCodec): Uint8Array {
  return encodeBlock(new Block({ ...emptyBlock, body, form }));
}
