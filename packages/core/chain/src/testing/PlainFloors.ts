import { compareBytes, toHex } from "@vedette/crypto";
import { type Block, hashKey } from "@vedette/protocol";

type Snapshot = ReadonlyMap<string, Block>;

/** Floors by the chapter's words, without any thought of speed: every set and walk is written out. @spec 61 §13 */
export class PlainFloors {
  private readonly blocks = new Map<string, Block>();
  private readonly mainChains = new Map<Block, readonly Block[]>();
  private readonly derived = new Map<string, { readonly floor: Block; readonly frontier: Block | undefined }>();
  private readonly tolerance: bigint;

  constructor(tolerance: bigint) {
    this.tolerance = tolerance;
  }

  add(block: Block): void {
    this.blocks.set(hashKey(block.hash), block);
  }

  /** "unsafe" where there is none; then nothing can be built on it either. */
  floorOf(block: Block): Block | "unsafe" {
    const name = toHex(block.hash);
    const known = this.derived.get(name);
    if (known !== undefined) return known.floor;
    const parents = block.parents.map((hash) => this.block(hash));
    if (parents.length === 0) {
      this.derived.set(name, { floor: block, frontier: undefined });
      return block;
    }
    const inherited: Block[] = [];
    for (const parent of parents) {
      const floor = this.floorOf(parent);
      if (floor === "unsafe") return floor;
      inherited.push(floor);
    }
    const snapshot = snapshotOf(block, (hash) => this.block(hash));
    const frontiers = parents.map((parent) => this.frontier(parent, snapshot));
    const candidates = [...inherited, ...frontiers].sort((a, b) =>
      a.number === b.number ? compareBytes(b.hash, a.hash) : Number(b.number - a.number),
    );
    const floor = candidates.find((candidate) => inherited.every((one) => this.isSound(candidate, one, parents)));
    if (floor === undefined) return "unsafe";
    this.derived.set(name, { floor, frontier: frontiers[0] });
    return floor;
  }

  frontierOf(block: Block): Block | undefined {
    return this.derived.get(toHex(block.hash))?.frontier;
  }

  contains(block: Block, other: Block): boolean {
    const [own, others] = [this.stateLine(block), this.stateLine(other)];
    const meeting = own.find((one) => others.includes(one));
    if (meeting === undefined) return false;
    if (meeting === other) return true;
    const carried = introduced(own.slice(0, own.indexOf(meeting)));
    return [...introduced(others.slice(0, others.indexOf(meeting)))].every((one) => carried.has(one));
  }

  private isSound(candidate: Block, inherited: Block, parents: readonly Block[]): boolean {
    if (this.contains(candidate, inherited)) return true;
    if (this.past(candidate).has(inherited)) return false;
    if (!parents.some((parent) => this.past(parent).has(inherited) && this.past(parent).has(candidate))) return false;
    const [own, others] = [this.stateLine(candidate), this.stateLine(inherited)];
    const meeting = own.find((one) => others.includes(one));
    return meeting !== undefined && introduced(own.slice(0, own.indexOf(meeting))).size === 0;
  }

  private frontier(parent: Block, snapshot: Snapshot): Block {
    const spine = this.mainChain(parent);
    const pivot = this.derived.get(toHex(parent.hash))?.frontier;
    const place = pivot === undefined ? -1 : spine.indexOf(pivot);
    if (pivot !== undefined && place >= 0) {
      const band = spine.slice(0, place + 1);
      const committees = new Set(band.map((block) => committeeText(this.weights(block))));
      if (committees.size === 1 && this.isFinal(pivot, snapshot)) {
        let highest = pivot;
        for (const block of band.slice(0, -1).reverse()) {
          if (!this.isFinal(block, snapshot)) break;
          highest = block;
        }
        return highest;
      }
    }
    return spine.find((block) => this.isFinal(block, snapshot)) ?? spine.at(-1)!;
  }

  private isFinal(block: Block, snapshot: Snapshot): boolean {
    const weights = this.weights(block);
    const total = [...weights.values()].reduce((sum, stake) => sum + stake, 0n);
    if (total <= 0n) return false;
    const agreeing = [...weights.keys()].filter((validator) => {
      const latest = snapshot.get(validator);
      return latest !== undefined && this.mainChain(latest).includes(block);
    });
    const sumOf = (some: readonly string[]) => some.reduce((sum, one) => sum + weights.get(one)!, 0n);
    if (2n * sumOf(agreeing) <= total) return false;
    let best = 0n;
    for (let subset = 1; subset < 1 << agreeing.length; subset += 1) {
      const some = agreeing.filter((_, index) => (subset >> index) & 1);
      const isClique = some.every((a) => some.every((b) => a === b || this.neverDisagree(a, b, block, snapshot)));
      if (isClique && sumOf(some) > best) best = sumOf(some);
    }
    return 2n * best * 1_000_000n >= total * (1_000_000n + this.tolerance);
  }

  private neverDisagree(a: string, b: string, block: Block, snapshot: Snapshot): boolean {
    const known = snapshotOf(snapshot.get(a)!, (hash) => this.block(hash)).get(b);
    if (known === undefined) return false;
    const stopper = this.previousOf(known) ?? known;
    for (let at = this.previousOf(snapshot.get(b)!); at !== undefined && at !== stopper; at = this.previousOf(at))
      if (!this.mainChain(at).includes(block)) return false;
    return true;
  }

  private previousOf(block: Block): Block | undefined {
    return snapshotOf(block, (hash) => this.block(hash)).get(hashKey(block.sender));
  }

  private weights(block: Block): ReadonlyMap<string, bigint> {
    const from = block.parents.length === 0 ? block : this.block(block.parents[0]!);
    return new Map(from.body.state.bonds.map(({ validator, stake }) => [hashKey(validator), stake]));
  }

  private mainChain(block: Block): readonly Block[] {
    let chain = this.mainChains.get(block);
    if (chain === undefined) {
      const parent = block.parents[0];
      chain = [block, ...(parent === undefined ? [] : this.mainChain(this.block(parent)))];
      this.mainChains.set(block, chain);
    }
    return chain;
  }

  private stateLine(block: Block): Block[] {
    const parent = block.body.mergeBase ?? block.parents[0];
    return [block, ...(parent === undefined ? [] : this.stateLine(this.block(parent)))];
  }

  private past(block: Block): Set<Block> {
    const past = new Set<Block>([block]);
    for (const one of past) for (const hash of one.parents) past.add(this.block(hash));
    return past;
  }

  private block(hash: Uint8Array): Block {
    return this.blocks.get(hashKey(hash))!;
  }
}

function snapshotOf(block: Block, find: (hash: Uint8Array) => Block): Snapshot {
  return new Map(
    block.justifications.map(({ validator, latestBlockHash }) => [hashKey(validator), find(latestBlockHash)]),
  );
}

function introduced(blocks: readonly Block[]): Set<string> {
  const all = new Set<string>();
  for (const { body } of blocks) {
    for (const { deploy, failed } of body.deploys) if (!failed) all.add(toHex(deploy.signature));
    for (const signature of body.appliedFromScope ?? []) all.add(toHex(signature));
  }
  return all;
}

function committeeText(weights: ReadonlyMap<string, bigint>): string {
  return [...weights]
    .map(([validator, stake]) => `${validator}:${stake}`)
    .sort()
    .join();
}
