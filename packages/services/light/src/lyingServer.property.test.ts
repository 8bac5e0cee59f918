import { type Block, f1r3node, hashKey, rnode } from "@vedette/protocol";
import { runs } from "@vedette/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { Evidence } from "./Evidence.js";
import { LightError, rnodeRules, verifyUpdate } from "./index.js";
import { trustedBlockOf } from "./TrustedBlock.js";
import { SignedNetwork, updateOf } from "./testing/index.js";
import { findFailing, metadataOf } from "./verifyUpdate.js";

const names = ["a", "b", "c", "d", "e"] as const;
const liar = "e";
const stakes = { a: 100, b: 110, c: 90, d: 100, e: 100 };
/** A fifth of the stake lies, less than half of the threshold. */
const rules = rnodeRules(0.5);

const anyTurn = fc.record({
  creator: fc.constantFrom(...names, ...names, liar),
  /** How many of the newest blocks it has not received. */
  missing: fc.constantFrom(0, 0, 0, 0, 1, 1, 2, 3),
  /** The liar's choices: where it builds, and whether that is a second block of a number. */
  on: fc.nat(),
  doubles: fc.boolean(),
});
type Turn = typeof anyTurn extends fc.Arbitrary<infer Value> ? Value : never;

/** Honest validators that build on the heaviest side, with all latest messages as parents, and one that does anything. */
class World {
  readonly all: Block[];
  readonly network: SignedNetwork;
  readonly #covers: boolean;
  readonly #known = new Map<string, Set<Block>>();
  readonly #byHash = new Map<string, Block>();

  /** @param covers blocks have one parent, and hashes that cover their justifications; else: several parents */
  constructor(turns: readonly Turn[], covers: boolean) {
    this.network = new SignedNetwork(stakes, covers ? rnode : f1r3node);
    this.#covers = covers;
    this.all = [this.network.genesis];
    this.#byHash.set(hashKey(this.network.genesis.hash), this.network.genesis);
    for (const name of names) this.#known.set(name, new Set([this.network.genesis]));
    for (const turn of turns) this.#play(turn);
  }

  #play({ creator, missing, on, doubles }: Turn): void {
    const known = this.#known.get(creator)!;
    for (const block of this.all.slice(0, this.all.length - missing)) this.#receive(known, block);
    const block = creator === liar ? this.#lie(on, doubles) : this.#build(creator, known);
    this.all.push(block);
    this.#byHash.set(hashKey(block.hash), block);
    if (creator !== liar) this.#receive(known, block);
  }

  /** With all that it names. */
  #receive(known: Set<Block>, block: Block): void {
    if (known.has(block)) return;
    for (const hash of [...block.parents, ...block.justifications.map(({ latestBlockHash }) => latestBlockHash)])
      this.#receive(known, this.#byHash.get(hashKey(hash))!);
    known.add(block);
  }

  #build(creator: string, known: ReadonlySet<Block>): Block {
    const latest = latestOf(known);
    const tip = heaviestTip(this.network.genesis, known, latest);
    const others = [...latest.values()].filter((block) => block !== tip);
    if (this.#covers) return this.network.make({ creator, parents: [tip], justified: [tip, ...others] });
    return this.network.make({ creator, parents: [tip, ...others] });
  }

  #lie(on: number, doubles: boolean): Block {
    const parent = this.all[on % this.all.length]!;
    const own = this.all.filter(({ sender }) => hashKey(sender) === this.#keyOf(liar));
    const before = own.at(-1)?.sequenceNumber;
    const justified = this.#covers ? { justified: [...latestOf(new Set(this.all)).values()] } : {};
    const sequence = doubles && before !== undefined ? { sequenceNumber: before } : {};
    return this.network.make({ creator: liar, parents: [parent], ...justified, ...sequence });
  }

  #keyOf(name: string): string {
    return hashKey(this.network.genesis.body.state.bonds[names.indexOf(name as "a")]!.validator);
  }
}

function latestOf(known: ReadonlySet<Block>): ReadonlyMap<string, Block> {
  const latest = new Map<string, Block>();
  for (const block of known) {
    const key = hashKey(block.sender);
    if (block.sender.length > 0 && (latest.get(key)?.sequenceNumber ?? -1) < block.sequenceNumber)
      latest.set(key, block);
  }
  return latest;
}

/** At every fork, chooses the side with most of the stake (40 §9.2). */
function heaviestTip(genesis: Block, known: ReadonlySet<Block>, latest: ReadonlyMap<string, Block>): Block {
  const byHash = new Map([...known].map((block) => [hashKey(block.hash), block]));
  const weights = new Map<Block, bigint>();
  for (const [sender, tip] of latest)
    for (const block of mainChain(byHash, tip)) {
      const stake = genesis.body.state.bonds.find(({ validator }) => hashKey(validator) === sender)!.stake;
      weights.set(block, (weights.get(block) ?? 0n) + stake);
    }
  for (let at = genesis; ; ) {
    const above = [...known].filter(
      ({ parents }) => parents[0] !== undefined && hashKey(parents[0]) === hashKey(at.hash),
    );
    const heaviest = above
      .filter((block) => weights.has(block))
      .sort((left, right) => Number(weights.get(right)! - weights.get(left)!) || (left.hash < right.hash ? -1 : 1))[0];
    if (heaviest === undefined) return at;
    at = heaviest;
  }
}

function mainChain(byHash: ReadonlyMap<string, Block>, tip: Block): Block[] {
  const chain: Block[] = [];
  for (let at: Block | undefined = tip; at !== undefined; ) {
    chain.push(at);
    const parent: Uint8Array | undefined = at.parents[0];
    at = parent === undefined ? undefined : byHash.get(hashKey(parent));
  }
  return chain;
}

/** Every block that a server can make a client accept by some of all blocks there are. */
function acceptable({ all, network: { genesis } }: World, choices: readonly (readonly boolean[])[]): Block[] {
  const trusted = trustedBlockOf(genesis);
  const byHash = new Map(all.map((block) => [hashKey(block.hash), block]));
  return all.slice(1).filter((target) => {
    const parent = byHash.get(hashKey(target.parents[0]!))!;
    return choices.some((choice) => {
      const chosen = all.slice(1).filter((_, at) => choice[at % choice.length] === true);
      const evidenceBlocks = [...new Set([target, ...(parent === genesis ? [] : [parent]), ...chosen])].map(metadataOf);
      const at = evidenceBlocks[0]!;
      const evidence = new Evidence(at, evidenceBlocks);
      return findFailing(evidence, trusted, rules.needed) === undefined;
    });
  });
}

const anyChoices = fc.array(fc.array(fc.boolean(), { minLength: 7, maxLength: 61 }), { minLength: 3, maxLength: 10 });
const everything = [true];

for (const covers of [false, true]) {
  const kind = covers ? "one parent and covered justifications" : "several parents";
  test(`no choice of blocks shows two that exclude each other, below the threshold (${kind})`, () => {
    let shown = 0;
    fc.assert(
      fc.property(fc.array(anyTurn, { minLength: 20, maxLength: 45 }), anyChoices, (turns, choices) => {
        const world = new World(turns, covers);
        const found = acceptable(world, [everything, ...choices]);
        shown += found.length;
        const highest = found.reduce((one, other) => (other.number > one.number ? other : one), world.network.genesis);
        const chain = mainChain(new Map(world.all.map((block) => [hashKey(block.hash), block])), highest);
        expect(found.filter((block) => !chain.includes(block))).toEqual([]);
      }),
      { numRuns: runs(60, 1_000) },
    );
    // Much of it is shown: the property is not empty.
    expect(shown).toBeGreaterThan(60);
  });
}

const network = new SignedNetwork({ a: 1, b: 1, c: 1 });
const chain = network.chain(network.genesis, "a", "b", "c", "a", "b", "c", "a");
const update = updateOf(chain[1]!, chain.slice(0, 6));
const trusted = trustedBlockOf(network.genesis);

test("changed bytes of an update are refused, or change nothing", () => {
  const shown = verifyUpdate(trusted, update, rules);
  const anyChange = fc.record({
    block: fc.nat(),
    at: fc.nat(),
    flip: fc.integer({ min: 1, max: 255 }),
    cut: fc.boolean(),
  });
  let refused = 0;
  fc.assert(
    fc.property(anyChange, ({ block, at, flip, cut }) => {
      const index = block % update.blocks.length;
      const bytes = Uint8Array.from(update.blocks[index]!);
      bytes[at % bytes.length]! ^= flip;
      const changed = cut ? bytes.subarray(0, at % bytes.length) : bytes;
      try {
        expect(verifyUpdate(trusted, { ...update, blocks: update.blocks.with(index, changed) }, rules)).toEqual(shown);
      } catch (error) {
        if (!(error instanceof LightError)) throw error;
        refused += 1;
      }
    }),
    { numRuns: runs(500, 20_000) },
  );
  expect(refused).toBeGreaterThan(400);
});

test("any bytes are refused with a reason", () => {
  fc.assert(
    fc.property(
      fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 5 }),
      fc.uint8Array({ maxLength: 40 }),
      (blocks, target) => {
        expect(() => verifyUpdate(trusted, { target, blocks }, rules)).toThrow(LightError);
      },
    ),
    { numRuns: runs(300, 20_000) },
  );
});
