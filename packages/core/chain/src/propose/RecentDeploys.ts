import { blake2b256Of } from "@vedette/crypto";
import { type Block, type Deploy, hashKey, signedBytesOfDeploy } from "@vedette/protocol";
import type { BlockTable } from "../block/BlockTable.js";
import { deployLifespan } from "../ChainRules.js";
import type { DagView } from "../dag/DagView.js";

/** The content and the deployer of a deploy, without its signature, which any node can write in another form. */
export function contentKeyOf(deploy: Deploy): string {
  return hashKey(blake2b256Of([signedBytesOfDeploy(deploy), deploy.deployer]));
}

/**
 * The deploys of blocks that are recent enough that their deploys could be in another one, and their payers.
 *
 * The id of a deploy is its signature, and one signature has many valid forms (10 §1.2): a reader of a transfer in a
 * block could send it again under another id. So a node that takes deploys identifies them by content.
 */
export class RecentDeploys {
  /** By content: the signatures that blocks have it with, and the height of the last of these blocks. */
  private readonly known = new Map<string, { readonly signatures: Set<string>; height: bigint }>();
  /** By payer of a deploy: the height of the last block that shows the payment. */
  private readonly payers = new Map<string, bigint>();
  private highest = -1n;
  private readonly paid: (term: string) => void;

  /** @param paid receives each program that was paid for */
  constructor(paid: (term: string) => void = () => {}) {
    this.paid = paid;
  }

  /** Whether a recent block has this content, but with other signatures only. */
  hasOther(contentKey: string, signature: Uint8Array): boolean {
    const found = this.known.get(contentKey);
    return found !== undefined && !found.signatures.has(hashKey(signature));
  }

  /** Whether a key has paid for a deploy of a recent block. @param deployer as {@link hashKey} writes it */
  hasPaid(deployer: string): boolean {
    return this.payers.has(deployer);
  }

  /** Takes a block's deploys in. */
  add(block: Block): void {
    for (const { deploy, systemDeployError } of block.body.deploys) {
      if (systemDeployError === "") {
        this.notePayer(hashKey(deploy.deployer), block.number);
        this.paid(deploy.term);
      }
      const key = contentKeyOf(deploy);
      const found = this.known.get(key) ?? { signatures: new Set<string>(), height: block.number };
      found.signatures.add(hashKey(deploy.signature));
      if (block.number > found.height) found.height = block.number;
      this.known.set(key, found);
    }
    if (block.number <= this.highest) return;
    this.highest = block.number;
    const oldest = this.highest - deployLifespan;
    for (const [key, { height }] of this.known) if (height < oldest) this.known.delete(key);
    for (const [key, height] of this.payers) if (height < oldest) this.payers.delete(key);
  }

  private notePayer(deployer: string, height: bigint): void {
    if (height > (this.payers.get(deployer) ?? -1n)) this.payers.set(deployer, height);
  }

  /** At a start. */
  load(dag: DagView, blocks: BlockTable): void {
    const top = dag.nextBlockNumber();
    for (const { hash } of dag.blocksByHeight(top - deployLifespan, top)) {
      const block = blocks.find(hash);
      if (block !== undefined) this.add(block);
    }
  }
}
