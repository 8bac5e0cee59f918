import { evidenceTag, TestValidator, testGenesis } from "@vedette/chain/testing";
import { toHex } from "@vedette/crypto";
import { type Block, hashKey } from "@vedette/protocol";
import fc from "fast-check";
import { propertyTarget } from "../driver/propertyTarget.js";
import { must } from "../driver/Target.js";
import { liedBlock, lieNames } from "./forgedBlock.js";
import { ListeningNode, ManualClock } from "./listeningNode.js";

/** Less than a third of the stake lies. */
const genesis = testGenesis({ liar: 100, v1: 100, v2: 100, v3: 100 }, evidenceTag);
const honestNames = ["v1", "v2", "v3"];
const liarNames = ["liar", "stranger"];
const rules = { faultToleranceThreshold: 0.34 };
/** Rounds of honest blocks, received by all, after which a block must have become final. */
const rounds = 4;
/** Longer than a validator stays on the side of a fork that has its own block (40 §9.2). */
const patienceMs = 30_000;

const anyStep = fc.record({
  by: fc.nat({ max: honestNames.length + liarNames.length - 1 }),
  lies: fc.uniqueArray(fc.constantFrom(...lieNames), { maxLength: 2 }),
  other: fc.nat({ max: 9 }),
  /** Whether the block is sent without its lies, too. */
  isTruthSent: fc.boolean(),
  /** Which validators receive it at once, each a bit; the others do later. */
  receivers: fc.nat({ max: 31 }),
});
type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never;

/** The same blocks, some of them lies, sent to each validator and to an observer in different orders. */
export const lieOrders = propertyTarget({
  name: "lie-orders",
  about:
    "nodes that receive the same lies in another order judge the same, as long as less than a third of the stake lies",
  cost: "expensive",
  files: [
    "sync/blocks/",
    "chain/validation/",
    "chain/dag/",
    "chain/equivocation/",
    "chain/evidence/",
    "chain/finality/",
    "chain/forkChoice/",
  ],
  values: fc.record({
    steps: fc.array(anyStep, { minLength: 1, maxLength: 8 }),
    /** For each node. */
    orders: fc.array(fc.array(fc.nat({ max: 63 }), { minLength: 16, maxLength: 16 }), { minLength: 4, maxLength: 4 }),
    /** Most of the work is in going on. */
    goesOn: fc.constantFrom(true, false, false),
  }),
  check: async ({ steps, orders, goesOn }) => {
    const network = new LiedToNetwork();
    await network.begin();
    for (const step of steps) await network.take(step);
    await network.reportTheRest(orders);
    network.checkAgreement();
    if (goesOn) await network.goOn();
    await network.end();
  },
});

class LiedToNetwork {
  readonly #clock = new ManualClock();
  readonly #honest = honestNames.map((name) => this.#node(name));
  readonly #liars = liarNames.map((name) => this.#validator(name));
  readonly #observer = this.#node("observer");
  readonly #sent: Block[] = [];
  readonly #honestBlocks: Block[] = [];
  #deploys = 0n;

  async begin(): Promise<void> {
    for (const node of this.#all) await node.begin();
  }

  async take({ by, lies, other, isTruthSent, receivers }: Step): Promise<void> {
    const author = this.#honest[by];
    const liar = this.#liars[by - honestNames.length];
    const block = await this.#proposed(author?.validator ?? liar!);
    if (block === undefined) return;
    if (author !== undefined) this.#honestBlocks.push(block);
    const known = this.#sent[other % Math.max(1, this.#sent.length)] ?? genesis;
    const sent = author === undefined ? liedBlock(block, liar!, lies, known) : block;
    const copies = isTruthSent && sent !== block ? [sent, block] : [sent];
    this.#sent.push(...copies);
    for (const copy of copies) {
      for (const [index, node] of this.#honest.entries()) if ((receivers >> index) & 1) await this.#deliver(node, copy);
      for (const [index, one] of this.#liars.entries())
        if ((receivers >> (honestNames.length + index)) & 1 && one.chain.missingDependencies(copy).length === 0)
          await one.take(copy);
    }
  }

  /** Each receives all blocks in a different order, then from an honest one what it has not taken, as it was made. */
  async reportTheRest(orders: readonly (readonly number[])[]): Promise<void> {
    for (const [index, node] of this.#all.entries()) {
      for (const block of shuffled(this.#sent, orders[index]!)) await node.receiveBlock(block);
      await node.settle();
    }
    for (const node of this.#all) await this.#reportHonestly(node);
  }

  /** @throws {Mismatch} */
  checkAgreement(): void {
    for (const node of this.#all) node.checkRuns();
    const [first, ...others] = this.#all.map((node) => ({ node, verdicts: this.#verdictsOf(node) }));
    for (const { node, verdicts } of others)
      must(
        verdicts === first!.verdicts,
        () =>
          `${node.validator.name} judges ${verdicts}, ${first!.node.validator.name} ${first!.verdicts}; sent: ${this.#shown()}`,
      );
    for (const { hash } of this.#honestBlocks)
      for (const { validator } of this.#all)
        must(
          validator.chain.dag.find(hash)?.invalid === false,
          () => `${validator.name} finds the honest block ${toHex(hash).slice(0, 8)} valid; sent: ${this.#shown()}`,
        );
    this.#checkFinality();
  }

  /** The honest ones go on, and all receive their blocks. @throws {Mismatch} where nothing becomes final */
  async goOn(): Promise<void> {
    const before = this.#all.map(({ validator }) => validator.lastFinalized);
    await this.#clock.pass(patienceMs);
    for (let round = 0; round < rounds; round += 1) {
      for (const node of this.#honest) {
        const block = await this.#proposed(node.validator);
        must(block !== undefined, () => `${node.validator.name} can propose`);
        this.#sent.push(block);
        for (const one of this.#all) {
          if (one !== node) await this.#deliver(one, block);
          must(one.has(block), () => `${one.validator.name} takes the block of ${node.validator.name}`);
          must(
            !one.validator.chain.dag.find(block.hash)!.invalid,
            () => `${one.validator.name} finds the block of ${node.validator.name} valid`,
          );
        }
      }
    }
    this.#checkFinality();
    for (const [index, { validator }] of this.#all.entries())
      must(
        validator.lastFinalized > before[index]!,
        () =>
          `${validator.name} finds more final than before, which was height ${before[index]}; sent: ${this.#shown()}`,
      );
  }

  async end(): Promise<void> {
    for (const node of this.#all) await node.end();
  }

  get #all(): readonly ListeningNode[] {
    return [...this.#honest, this.#observer];
  }

  #validator(name: string): TestValidator {
    return new TestValidator(name, genesis, { rules, nowMs: () => this.#clock.nowMs });
  }

  #node(name: string): ListeningNode {
    return new ListeningNode(this.#validator(name), genesis, this.#clock);
  }

  async #proposed(validator: TestValidator): Promise<Block | undefined> {
    this.#deploys += 1n;
    validator.deploy({ timestamp: this.#deploys });
    const result = await validator.proposer.propose();
    return result.status === "Success" ? result.block : undefined;
  }

  async #deliver(node: ListeningNode, block: Block): Promise<void> {
    await node.receiveBlock(block);
    await node.settle();
  }

  async #reportHonestly(node: ListeningNode): Promise<void> {
    for (let turn = 0; turn < 3; turn += 1)
      for (const block of this.#sent) {
        if (node.has(block)) continue;
        await node.receiveBlock(block, true, "honest");
        await node.settle();
      }
  }

  #verdictsOf({ validator }: ListeningNode): string {
    const { dag } = validator.chain;
    const judged = this.#sent.map(({ hash }) => {
      const found = dag.find(hash);
      return found === undefined ? "-" : found.invalid ? "i" : "v";
    });
    // For an offender each may have another one: it weighs nothing.
    const latest = dag
      .latestBlocks()
      .map(({ hash, sender }) => (dag.hasSlashingEvidence(hashKey(sender)) ? "offender" : toHex(hash).slice(0, 8)));
    return `${judged.join("")} ${latest.sort().join()}`;
  }

  /** Checks that all last final blocks are on one chain. */
  #checkFinality(): void {
    const tops = this.#all.map(({ validator }) => validator.chain.dag.lastFinalized()!);
    const highest = tops.reduce((one, other) => (other.number > one.number ? other : one));
    const { dag } = this.#all[tops.indexOf(highest)]!.validator.chain;
    for (const top of tops) {
      let at = highest;
      while (at.number > top.number) at = dag.find(at.parents[0]!)!;
      must(hashKey(at.hash) === hashKey(top.hash), "nothing final excludes what is final to another");
    }
  }

  #shown(): string {
    return this.#sent
      .map(({ hash, number, parents }) => {
        const [parent] = parents;
        return `${toHex(hash).slice(0, 8)} of height ${number} on ${parent === undefined ? "nothing" : toHex(parent).slice(0, 8)}`;
      })
      .join("; ");
  }
}

/** @param choices which of what is left comes next */
function shuffled<T>(list: readonly T[], choices: readonly number[]): T[] {
  const rest = list.slice();
  const result: T[] = [];
  while (rest.length > 0) {
    const choice = choices[result.length % choices.length]!;
    result.push(...rest.splice(choice % rest.length, 1));
  }
  return result;
}
