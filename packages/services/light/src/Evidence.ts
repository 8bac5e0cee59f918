import { BlockMetadata, type BondSet, ChainError, JustifiedFinality } from "@vedette/chain/finality";
import { hashKey, type Justification } from "@vedette/protocol";

/** Two blocks of one validator with one sequence number: its votes do not count. */
export interface DoubledBlock {
  readonly validator: Uint8Array;
  readonly first: Uint8Array;
  readonly second: Uint8Array;
}

/** A validator's blocks that build on the target and follow one another without a gap, the newest first. */
type Run = readonly BlockMetadata[];

/**
 * Signed blocks, as a view of the DAG in which the network's own rule of finality is applied.
 *
 * The knowledge of a block's creator is taken from the parts that its signature covers: its parents, its justifications
 * where it is bound to them, and what these name in turn.
 *
 * @spec 70 §4
 */
export class Evidence {
  readonly blocks: ReadonlyMap<string, BlockMetadata>;
  readonly target: BlockMetadata;
  readonly doubled: readonly DoubledBlock[];
  readonly #runs = new Map<string, Run>();
  /** The blocks, with what their creators knew of the votes in the place of justifications. */
  readonly #views = new Map<string, BlockMetadata>();

  /**
   * @param blocks each once; hashes and signatures are right, numbers grow from parents to children, and a block that
   *   states evidence has the justifications that its hash covers
   */
  constructor(target: BlockMetadata, blocks: readonly BlockMetadata[]) {
    const ascending = [...blocks].sort((left, right) => Number(left.number - right.number));
    this.target = target;
    this.blocks = new Map(ascending.map((block) => [block.key, block]));
    const supporters = this.#findSupporters(ascending);
    const bySender = new Map<string, BlockMetadata[]>();
    for (const block of ascending) {
      const own = bySender.get(block.senderKey);
      if (own === undefined) bySender.set(block.senderKey, [block]);
      else own.push(block);
    }
    const doubled: DoubledBlock[] = [];
    for (const [sender, own] of bySender) {
      own.sort((left, right) => right.sequenceNumber - left.sequenceNumber);
      const double = own.find((block, index) => own[index + 1]?.sequenceNumber === block.sequenceNumber);
      if (double === undefined) this.#runs.set(sender, runOf(own, supporters));
      else {
        const second = own[own.indexOf(double) + 1]!.hash;
        doubled.push({ validator: double.sender, first: double.hash, second });
      }
    }
    this.doubled = doubled;
    this.#collectViews(ascending);
  }

  /**
   * Whether the blocks make the target final.
   *
   * @param bonds the bonds with the stakes that count
   * @throws {ChainError} `tooComplex`
   * @spec 70 §4
   */
  isFinal(bonds: BondSet, needed: (total: bigint) => bigint): boolean {
    const target = this.#views.get(this.target.key)!;
    const parent = new BlockMetadata({ ...target, hash: target.mainParent!, bonds }, flags);
    const find = (hash: Uint8Array) => (hashKey(hash) === parent.key ? parent : this.#views.get(hashKey(hash)));
    const require = (hash: Uint8Array) => {
      const block = find(hash);
      if (block === undefined) throw new ChainError({ code: "blockMissing", hash });
      return block;
    };
    const latest = [...this.#runs.values()].flatMap((run) => run[0] ?? []);
    const votes = latest.map(({ sender: validator, hash }) => ({ validator, latestBlockHash: hash }));
    return new JustifiedFinality({ find, require }, votes, needed).isFinal(target);
  }

  /** Those that have the target on their main chain, and the target. */
  #findSupporters(ascending: readonly BlockMetadata[]): ReadonlySet<string> {
    const supporters = new Set([this.target.key]);
    for (const { key, mainParent } of ascending)
      if (mainParent !== undefined && supporters.has(hashKey(mainParent))) supporters.add(key);
    return supporters;
  }

  #collectViews(ascending: readonly BlockMetadata[]): void {
    // For each block, the newest sequence number of each validator in its past.
    const pasts = new Map<string, ReadonlyMap<string, number>>();
    const waiting = [...ascending].reverse();
    for (let block = waiting.at(-1); block !== undefined; block = waiting.at(-1)) {
      const { key } = block;
      const named = this.#namedBy(block);
      const missing = pasts.has(key) ? [] : named.filter((one) => !pasts.has(one.key));
      if (missing.length > 0) {
        waiting.push(...missing);
        continue;
      }
      waiting.pop();
      if (pasts.has(key)) continue;
      const past = new Map<string, number>();
      for (const { key: namedKey, senderKey, sequenceNumber } of named) {
        for (const [other, number] of pasts.get(namedKey)!) raise(past, other, number);
        raise(past, senderKey, sequenceNumber);
      }
      pasts.set(key, past);
      this.#views.set(key, new BlockMetadata({ ...block, justifications: this.#knownTo(block, past) }, flags));
    }
  }

  /** Hashes make no circles. */
  #namedBy({ parents, evidence, justifications }: BlockMetadata): readonly BlockMetadata[] {
    const covered = evidence === undefined ? [] : justifications;
    const hashes = [...parents, ...covered.map(({ latestBlockHash }) => latestBlockHash)];
    return hashes.flatMap((hash) => this.blocks.get(hashKey(hash)) ?? []);
  }

  /** Returns the votes that a block's creator knew, and its own vote before. */
  #knownTo(block: BlockMetadata, past: ReadonlyMap<string, number>): Justification[] {
    const known: Justification[] = [];
    for (const [sender, run] of this.#runs) {
      const number = sender === block.senderKey ? block.sequenceNumber - 1 : past.get(sender);
      const newest = run[0]?.sequenceNumber;
      const vote = number === undefined || newest === undefined ? undefined : run[newest - number];
      if (vote !== undefined) known.push({ validator: vote.sender, latestBlockHash: vote.hash });
    }
    return known;
  }
}

const flags = { invalid: false, finalized: false, directlyFinalized: false };

/** @param own the newest first */
function runOf(own: readonly BlockMetadata[], supporters: ReadonlySet<string>): Run {
  const run: BlockMetadata[] = [];
  for (const block of own) {
    const above = run.at(-1);
    if (above !== undefined && above.sequenceNumber !== block.sequenceNumber + 1) break;
    if (!supporters.has(block.key)) break;
    run.push(block);
  }
  return run;
}

function raise(past: Map<string, number>, sender: string, number: number): void {
  const known = past.get(sender);
  if (known === undefined || known < number) past.set(sender, number);
}
