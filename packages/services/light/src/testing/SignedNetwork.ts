import { commitmentTo } from "@vedette/chain/finality";
import { evidenceTag, testGenesis, testKey } from "@vedette/chain/testing";
import { concatBytes, emptyBytes } from "@vedette/crypto";
import { Block, type Bond, type Dialect, encodeBlock, hashKey, rnode, signBlock } from "@vedette/protocol";

/** The content of a block; missing parts get defaults. */
export interface SignedFacts {
  readonly creator: string;
  readonly parents: readonly Block[];
  /** The hash covers them. */
  readonly justified?: readonly Block[];
  readonly bonds?: Readonly<Record<string, number>>;
  readonly sequenceNumber?: number;
  readonly number?: bigint;
  readonly shardId?: string;
  readonly version?: bigint;
  readonly extraBytes?: Uint8Array;
}

/** Makes signed blocks without deploys, with any requested content. */
export class SignedNetwork {
  readonly genesis: Block;
  readonly dialect: Dialect;
  readonly #sequence = new Map<string, number>();
  #made = 0;

  constructor(stakes: Readonly<Record<string, number>>, dialect: Dialect = rnode) {
    this.dialect = dialect;
    this.genesis = testGenesis(stakes, emptyBytes, dialect);
  }

  make({ creator, parents, justified = [], ...facts }: SignedFacts): Block {
    this.#made += 1;
    const sequenceNumber = facts.sequenceNumber ?? (this.#sequence.get(creator) ?? 0) + 1;
    this.#sequence.set(creator, sequenceNumber);
    const highest = parents.reduce((number, parent) => (parent.number > number ? parent.number : number), 0n);
    const justifications = justified.map(({ sender, hash }) => ({ validator: sender, latestBlockHash: hash }));
    const statement = justified.length === 0 ? emptyBytes : concatBytes(evidenceTag, commitmentTo(justifications));
    const unsigned = {
      hash: emptyBytes,
      header: {
        parents: parents.map(({ hash }) => hash),
        timestamp: BigInt(1_000 + this.#made),
        version: facts.version ?? 1n,
        extraBytes: emptyBytes,
      },
      body: {
        state: {
          preStateHash: parents[0]!.body.state.postStateHash,
          postStateHash: new Uint8Array(32).fill(this.#made),
          bonds: facts.bonds === undefined ? parents[0]!.body.state.bonds : bondsOf(facts.bonds),
          blockNumber: facts.number ?? highest + 1n,
        },
        deploys: [],
        systemDeploys: [],
        extraBytes: emptyBytes,
        rejectedDeploys: [],
      },
      justifications,
      sender: emptyBytes,
      sequenceNumber,
      signature: emptyBytes,
      signatureAlgorithm: "",
      shardId: facts.shardId ?? "root",
      extraBytes: facts.extraBytes ?? statement,
      form: this.dialect.blockForm,
    };
    return signBlock(unsigned, testKey(creator), this.dialect);
  }

  /** Blocks one upon the other, by these creators. @returns in their order */
  chain(parent: Block, ...creators: readonly string[]): Block[] {
    const blocks: Block[] = [];
    for (const creator of creators) blocks.push(this.make({ creator, parents: [blocks.at(-1) ?? parent] }));
    return blocks;
  }
}

/** The update of these blocks. */
export function updateOf(target: Block, blocks: readonly Block[]): { target: Uint8Array; blocks: Uint8Array[] } {
  const all = new Map([target, ...blocks].map((block) => [hashKey(block.hash), block]));
  return { target: target.hash, blocks: [...all.values()].map((block) => encodeBlock(block)) };
}

function bondsOf(stakes: Readonly<Record<string, number>>): Bond[] {
  return Object.entries(stakes).map(([name, stake]) => ({ validator: testKey(name).publicKey, stake: BigInt(stake) }));
}

/** The same block with other content, without a new hash or signature. */
export function altered(block: Block, change: Partial<Block>): Block {
  return new Block({ ...block, ...change });
}
