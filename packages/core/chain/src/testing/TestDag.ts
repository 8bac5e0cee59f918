import { emptyBytes } from "@vedette/crypto";
import {
  Block,
  type Bond,
  type Deploy,
  hashBlock,
  hashKey,
  type RejectedDeploy,
  rnode,
  type SystemDeploy,
} from "@vedette/protocol";
import { MemoryStore, tablesOf } from "@vedette/store";
import { Dag } from "../dag/Dag.js";
import type { InitialLatestMessage } from "../dag/firstMessage.js";

/** The content of a made-up block; missing fields are taken from its parents and the DAG. */
export interface TestBlock {
  readonly creator: string;
  readonly parents: readonly Block[];
  /** Validator → justified block. */
  readonly justifications: Readonly<Record<string, Block>>;
  readonly invalid?: boolean;
  readonly number?: bigint;
  readonly sequenceNumber?: number;
  readonly timestamp?: bigint;
  readonly deploys?: readonly Deploy[];
  readonly shardId?: string;
  readonly bonds?: Readonly<Record<string, number>>;
  readonly preState?: Uint8Array;
  readonly rejectedDeploys?: readonly Uint8Array[];
  /** For f1r3node only, as the next. */
  readonly mergeBase?: Block;
  readonly appliedFromScope?: readonly Uint8Array[];
  readonly rejections?: readonly RejectedDeploy[];
  readonly systemDeploys?: readonly SystemDeploy[];
}

/** A DAG of made-up blocks, without deploys and signatures. */
export class TestDag {
  readonly store = new MemoryStore(tablesOf("chain"));
  readonly dag: Dag;
  readonly genesis: Block;
  private readonly bonds: readonly Bond[];
  private readonly blocks = new Map<string, Block>();
  private made = 0;

  constructor(stakes: Readonly<Record<string, number>>, firstMessage?: InitialLatestMessage) {
    this.dag = new Dag(this.store, undefined, firstMessage);
    this.bonds = Object.entries(stakes).map(([name, stake]) => ({
      validator: validatorKey(name),
      stake: BigInt(stake),
    }));
    this.genesis = this.make({ creator: "", parents: [], justifications: {}, number: 0n, sequenceNumber: 0 });
    this.dag.insert(this.genesis, { invalid: false, approved: true });
  }

  /** Makes a block without inserting it. */
  make(facts: TestBlock): Block {
    const { creator, parents, justifications, number, sequenceNumber } = facts;
    this.made += 1;
    let highest = -1n;
    for (const parent of parents) if (parent.number > highest) highest = parent.number;
    const fields = {
      hash: emptyBytes,
      header: {
        parents: parents.map(({ hash }) => hash),
        timestamp: facts.timestamp ?? BigInt(this.made),
        version: 1n,
        extraBytes: emptyBytes,
      },
      body: {
        state: {
          preStateHash: facts.preState ?? new Uint8Array(32),
          postStateHash: new Uint8Array(32),
          bonds: facts.bonds === undefined ? this.bonds : bondsOf(facts.bonds),
          blockNumber: number ?? highest + 1n,
        },
        deploys: (facts.deploys ?? []).map((deploy) => ({
          deploy,
          cost: 1n,
          log: [],
          failed: false,
          systemDeployError: "",
        })),
        systemDeploys: (facts.systemDeploys ?? []).map((systemDeploy) => ({ systemDeploy, log: [], error: "" })),
        extraBytes: emptyBytes,
        rejectedDeploys: facts.rejections ?? (facts.rejectedDeploys ?? []).map((signature) => ({ signature })),
        ...(facts.mergeBase === undefined ? {} : { mergeBase: facts.mergeBase.hash }),
        ...(facts.appliedFromScope === undefined ? {} : { appliedFromScope: facts.appliedFromScope }),
      },
      justifications: Object.entries(justifications).map(([name, block]) => ({
        validator: validatorKey(name),
        latestBlockHash: block.hash,
      })),
      sender: creator === "" ? emptyBytes : validatorKey(creator),
      sequenceNumber: sequenceNumber ?? (justifications[creator]?.sequenceNumber ?? -1) + 1,
      signature: emptyBytes,
      signatureAlgorithm: creator === "" ? "" : "secp256k1",
      shardId: facts.shardId ?? "root",
      extraBytes: emptyBytes,
    };
    const block = new Block({ ...fields, hash: hashBlock(new Block(fields), rnode) });
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

  /** {@link blockOf} does not know the block any more, so that a long chain takes no room here. */
  forget(block: Block): void {
    this.blocks.delete(hashKey(block.hash));
  }

  private latest(): Record<string, Block> {
    const latest: Record<string, Block> = {};
    for (const { validator, hash } of this.dag.latestMessages()) latest[nameOf(validator)] = this.blockOf(hash);
    return latest;
  }
}

function bondsOf(stakes: Readonly<Record<string, number>>): Bond[] {
  return Object.entries(stakes).map(([name, stake]) => ({ validator: validatorKey(name), stake: BigInt(stake) }));
}

/** A deploy without a real signature. */
export function testDeploy(id: number, change: Partial<Deploy> = {}): Deploy {
  return {
    deployer: validatorKey("user"),
    term: "Nil",
    timestamp: 0n,
    signature: new Uint8Array(70).fill(id),
    algorithm: "secp256k1",
    phloPrice: 1n,
    phloLimit: 10n,
    validAfterBlockNumber: 0n,
    shardId: "root",
    ...change,
  };
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
