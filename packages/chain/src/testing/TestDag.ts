import { Block, type Bond, hashBlock, hashKey, rnodeScala } from "@vedette/protocol";
import { MemoryStore, tablesOf } from "@vedette/store";
import { Dag } from "../dag/Dag.js";

const empty = new Uint8Array(0);

/** What a made-up block says; what is left out is taken from its parents and the DAG. */
export interface TestBlock {
  readonly creator: string;
  readonly parents: readonly Block[];
  /** Validator → justified block. */
  readonly justifications: Readonly<Record<string, Block>>;
  readonly invalid?: boolean;
  readonly number?: bigint;
  readonly sequenceNumber?: number;
}

/** A DAG of made-up blocks, without deploys and signatures. */
export class TestDag {
  readonly store = new MemoryStore(tablesOf("chain"));
  readonly dag = new Dag(this.store);
  readonly genesis: Block;
  private readonly bonds: readonly Bond[];
  private readonly blocks = new Map<string, Block>();
  private made = 0;

  constructor(stakes: Readonly<Record<string, number>>) {
    this.bonds = Object.entries(stakes).map(([name, stake]) => ({
      validator: validatorKey(name),
      stake: BigInt(stake),
    }));
    this.genesis = this.make({ creator: "", parents: [], justifications: {}, number: 0n, sequenceNumber: 0 });
    this.dag.insert(this.genesis, { invalid: false, approved: true });
  }

  /** Makes a block without inserting it. */
  make({ creator, parents, justifications, number, sequenceNumber }: TestBlock): Block {
    this.made += 1;
    let highest = -1n;
    for (const parent of parents) if (parent.number > highest) highest = parent.number;
    const fields = {
      hash: empty,
      header: {
        parents: parents.map(({ hash }) => hash),
        timestamp: BigInt(this.made),
        version: 1n,
        extraBytes: empty,
      },
      body: {
        state: {
          preStateHash: new Uint8Array(32),
          postStateHash: new Uint8Array(32),
          bonds: this.bonds,
          blockNumber: number ?? highest + 1n,
        },
        deploys: [],
        systemDeploys: [],
        extraBytes: empty,
        rejectedDeploys: [],
      },
      justifications: Object.entries(justifications).map(([name, block]) => ({
        validator: validatorKey(name),
        latestBlockHash: block.hash,
      })),
      sender: creator === "" ? empty : validatorKey(creator),
      sequenceNumber: sequenceNumber ?? (justifications[creator]?.sequenceNumber ?? -1) + 1,
      signature: empty,
      signatureAlgorithm: creator === "" ? "" : "secp256k1",
      shardId: "root",
      extraBytes: empty,
    };
    const block = new Block({ ...fields, hash: hashBlock(new Block(fields), rnodeScala) });
    this.blocks.set(hashKey(block.hash), block);
    return block;
  }

  /** Makes a block and inserts it. */
  add(facts: TestBlock): Block {
    const block = this.make(facts);
    this.dag.insert(block, { invalid: facts.invalid ?? false, approved: false });
    return block;
  }

  /** A block on this parent that justifies what the DAG has as latest messages. */
  next(creator: string, parents: readonly Block[]): Block {
    return this.add({ creator, parents, justifications: this.latest() });
  }

  /** The block of a hash made here. */
  blockOf(hash: Uint8Array): Block {
    const block = this.blocks.get(hashKey(hash));
    if (block === undefined) throw new TypeError("not a block of this test");
    return block;
  }

  private latest(): Record<string, Block> {
    const latest: Record<string, Block> = {};
    for (const { validator, hash } of this.dag.latestMessages()) latest[nameOf(validator)] = this.blockOf(hash);
    return latest;
  }
}

/** A key of 65 bytes that shows the validator's name. */
export function validatorKey(name: string): Uint8Array {
  const key = new Uint8Array(65);
  key[0] = 4;
  key.set(new TextEncoder().encode(name), 1);
  return key;
}

function nameOf(key: Uint8Array): string {
  return new TextDecoder().decode(key.subarray(1)).replaceAll("\0", "");
}
