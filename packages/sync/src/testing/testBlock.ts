import { blake2b256 } from "@vedette/crypto";
import { Block, type BlockFields, hashBlock, rnodeScala } from "@vedette/protocol";

const none = new Uint8Array(0);

/** A hash that a name stands for. */
export const testHash = (name: string): Uint8Array => blake2b256(new TextEncoder().encode(name));

/** A block that is right in nothing but its hash. */
export function testBlock(
  number: number,
  parents: readonly Block[],
  fields: Partial<BlockFields> & { readonly by?: string; readonly justified?: readonly Block[] } = {},
): Block {
  const { by = "v1", justified = parents } = fields;
  const fieldsOfBlock: BlockFields = {
    hash: none,
    header: { parents: parents.map(({ hash }) => hash), timestamp: 1_600_000_000_000n, version: 1n, extraBytes: none },
    body: {
      state: {
        preStateHash: parents[0]?.body.state.postStateHash ?? testHash("pre"),
        postStateHash: testHash(`post ${number}`),
        bonds: [],
        blockNumber: BigInt(number),
      },
      deploys: [],
      systemDeploys: [],
      extraBytes: none,
      rejectedDeploys: [],
    },
    justifications: justified.map(({ sender, hash }) => ({ validator: sender, latestBlockHash: hash })),
    sender: testHash(by),
    sequenceNumber: number,
    signature: testHash("signature"),
    signatureAlgorithm: "secp256k1",
    shardId: "root",
    extraBytes: none,
    ...fields,
  };
  const unnamed = new Block(fieldsOfBlock);
  return fields.hash === undefined ? new Block({ ...fieldsOfBlock, hash: hashBlock(unnamed, rnodeScala) }) : unnamed;
}
