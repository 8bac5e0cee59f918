import { blake2b256, emptyBytes } from "@vedette/crypto";
import { Block, type Event, hashBlock, type ProcessedDeploy, ProduceEvent, rnode } from "@vedette/protocol";
import { channelHash, GString, parOfExpr } from "@vedette/terms";

const validator = new Uint8Array(65).fill(0x11);
const bonds = [{ validator, stake: 10n }];
let deploysMade = 0;

/** A deploy that sends on names that are texts; nothing of it is signed or executed. */
export function madeDeploy(
  change: { readonly deployer?: number; readonly sendsOn?: readonly string[]; readonly failed?: boolean } = {},
): ProcessedDeploy {
  deploysMade += 1;
  const signature = blake2b256(new TextEncoder().encode(`deploy ${deploysMade}`));
  const log: Event[] = (change.sendsOn ?? []).map(
    (name, index) =>
      new ProduceEvent(channelHash(parOfExpr(new GString(name))), blake2b256(Uint8Array.of(index)), false),
  );
  return {
    deploy: {
      deployer: new Uint8Array(65).fill(change.deployer ?? 0x22),
      term: "Nil",
      timestamp: BigInt(deploysMade),
      signature,
      algorithm: "secp256k1",
      phloPrice: 1n,
      phloLimit: 1_000n,
      validAfterBlockNumber: 0n,
      shardId: "root",
    },
    cost: 9_007_199_254_740_993n,
    log,
    failed: change.failed ?? false,
    systemDeployError: "",
  };
}

/** Blocks of one validator upon each other; each is final as soon as it is there. */
export class FakeEventChain {
  readonly blocks: Block[] = [];

  constructor() {
    this.#make(emptyBytes, [], []);
  }

  get genesis(): Block {
    return this.blocks[0]!;
  }

  /** A block on the one made last. */
  next(deploys: readonly ProcessedDeploy[] = []): Block {
    const parent = this.blocks.at(-1)!;
    return this.#make(validator, [parent.hash], deploys);
  }

  /** Makes a block with long events on the newest one. */
  nextLong(): Block {
    const made = madeDeploy();
    const signature = new Uint8Array(100_000).fill(made.deploy.signature[0]!);
    signature.set(made.deploy.signature);
    return this.next([{ ...made, deploy: { ...made.deploy, signature } }]);
  }

  /** Makes this many blocks with one deploy each. */
  grow(count: number): Block[] {
    return Array.from({ length: count }, () => this.next([madeDeploy()]));
  }

  #make(sender: Uint8Array, parents: readonly Uint8Array[], deploys: readonly ProcessedDeploy[]): Block {
    const number = this.blocks.length;
    const validAfterBlockNumber = BigInt(number - 1);
    const fields = {
      hash: emptyBytes,
      header: { parents, timestamp: BigInt(number), version: 1n, extraBytes: emptyBytes },
      body: {
        state: {
          preStateHash: stateAfter(number - 1),
          postStateHash: stateAfter(number),
          bonds,
          blockNumber: BigInt(number),
        },
        // Deploys expire.
        deploys: deploys.map((one) => ({ ...one, deploy: { ...one.deploy, validAfterBlockNumber } })),
        systemDeploys: [],
        extraBytes: emptyBytes,
        rejectedDeploys: [],
      },
      justifications: parents.map((latestBlockHash) => ({ validator, latestBlockHash })),
      sender,
      sequenceNumber: number,
      signature: emptyBytes,
      signatureAlgorithm: sender.length === 0 ? "" : "secp256k1",
      shardId: "root",
      extraBytes: emptyBytes,
    };
    const block = new Block({ ...fields, hash: hashBlock(new Block(fields), rnode) });
    this.blocks.push(block);
    return block;
  }
}

function stateAfter(number: number): Uint8Array {
  return number < 0 ? new Uint8Array(32) : blake2b256(new TextEncoder().encode(`state ${number}`));
}
