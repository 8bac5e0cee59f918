import { blake2b256, emptyBytes } from "@vedette/crypto";
import { Block, type BlockFields, type Dialect, hashBlock, rnode } from "@vedette/protocol";

/** The hash that a name represents. */
export const testHash = (name: string): Uint8Array => blake2b256(new TextEncoder().encode(name));

/** A block that is right in nothing but its hash. */
export function testBlock(
  number: number,
  parents: readonly Block[],
  fields: Partial<BlockFields> & { readonly by?: string; readonly justified?: readonly Block[] } = {},
  dialect: Dialect = rnode,
): Block {
  const { by = "v1", justified = parents } = fields;
  const fieldsOfBlock: BlockFields = {
    hash: emptyBytes,
    header: {
      parents: parents.map(({ hash }) => hash),
      timestamp: 1_600_000_000_000n,
      version: 1n,
      extraBytes: emptyBytes,
    },
    body: {
      state: {
        preStateHash: parents[0]?.body.state.postStateHash ?? testHash("pre"),
        postStateHash: testHash(`post ${number}`),
        bonds: [],
        blockNumber: BigInt(number),
      },
      deploys: [],
      systemDeploys: [],
      extraBytes: emptyBytes,
      rejectedDeploys: [],
    },
    justifications: justified.map(({ sender, hash }) => ({ validator: sender, latestBlockHash: hash })),
    sender: testHash(by),
    sequenceNumber: number,
    signature: testHash("signature"),
    signatureAlgorithm: "secp256k1",
    shardId: "root",
    extraBytes: emptyBytes,
    form: dialect.blockForm,
    ...fields,
  };
  const unnamed = new Block(fieldsOfBlock);
  return fields.hash === undefined ? new Block({ ...fieldsOfBlock, hash: hashBlock(unnamed, dialect) }) : unnamed;
}
