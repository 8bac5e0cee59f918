import { type Block, hashKey, rnodeRust } from "@vedette/protocol";
import { isAncestorOrSelf } from "../dag/ancestors.js";
import { ArrivalNode, TestClock } from "./ArrivalNode.js";
import { testGenesis, testKey } from "./ProposeNetwork.js";

/** Whose program a validator runs: this one, or the newer node, of which there is a model. */
export type NodeMake = "vedette" | "newer";

/** The validator that runs twice. */
const offender = "offender";
const honestStake = 10;
/** Below the fault threshold, however few others there are. */
const offenderStake = 4;

/** How a network is made. */
export interface MixedNetworkPlan {
  /** Of each honest validator. */
  readonly makes: readonly NodeMake[];
  /**
   * Whether the nodes of the newer make judge the two blocks at the same time, and so find both valid; else each finds
   * invalid what it hears of last.
   */
  readonly isRaced: boolean;
}

/** Validators of both makes, and one that runs twice with one key and makes two blocks at the same moment. */
export class MixedNetwork {
  readonly nodes: readonly ArrivalNode[];
  /** The two blocks; empty before they are made. */
  sides: readonly Block[] = [];
  /** What honest validators made. */
  readonly made: Block[] = [];
  readonly #plan: MixedNetworkPlan;
  readonly #twins: readonly [ArrivalNode, ArrivalNode];

  private constructor(plan: MixedNetworkPlan) {
    this.#plan = plan;
    const names = plan.makes.map((_, index) => `v${index + 1}`);
    const stakes = Object.fromEntries(names.map((name) => [name, honestStake]));
    const genesis = testGenesis({ ...stakes, [offender]: offenderStake }, undefined, rnodeRust);
    const clock = new TestClock();
    const isRaced = ({ hash }: Block) =>
      plan.isRaced && this.sides.some((side) => hashKey(side.hash) === hashKey(hash));
    const newer = { isRaced, proposer: { slashesUnconfirmed: true } };
    const nodeOf = (name: string, make: NodeMake) =>
      new ArrivalNode(name, genesis, clock, { followsFloors: true, ...(make === "newer" ? newer : {}) });
    this.nodes = names.map((name, index) => nodeOf(name, plan.makes[index]!));
    this.#twins = [nodeOf(offender, "vedette"), nodeOf(offender, "vedette")];
  }

  /** All have made a block and heard of those of all others, the offender too; then it makes two, of which nobody has heard. */
  static async begin(plan: MixedNetworkPlan): Promise<MixedNetwork> {
    const network = new MixedNetwork(plan);
    const { nodes } = network;
    const twins = network.#twins;
    await network.round();
    await twins[0].receive(...network.made);
    const before = (await twins[0].make())!;
    for (const node of nodes) await node.receive(before);
    await twins[1].receive(...network.made, before);
    await network.round();
    for (const twin of twins) await twin.receive(...network.made);
    network.sides = [(await twins[0].make())!, (await twins[1].make())!];
    return network;
  }

  /** A validator makes a block, if it can; nobody hears of it. */
  async make(index: number): Promise<Block | undefined> {
    const block = await this.nodes[index]!.make();
    if (block !== undefined) this.made.push(block);
    return block;
  }

  /** Every honest validator makes a block in turn, if it can, and all honest ones hear of it. @returns how many were made */
  async round(): Promise<number> {
    let made = 0;
    for (const [index, maker] of this.nodes.entries()) {
      const block = await this.make(index);
      if (block === undefined) continue;
      made += 1;
      for (const node of this.nodes) if (node !== maker) await node.receive(block);
    }
    return made;
  }

  /** All hear of all blocks. */
  async hearAll(): Promise<void> {
    for (const node of this.nodes) await node.receive(...this.sides, ...this.made);
  }

  /** What honest validators made and somebody honest does not find valid: who, and what it says. */
  refusals(): string[] {
    return this.nodes.flatMap((node) =>
      this.made.flatMap((block) => {
        const verdict = node.verdictOn(block) ?? "Valid";
        const maker = this.nodes.find(
          (one) => hashKey(testKey(one.validator.name).publicKey) === hashKey(block.sender),
        )!;
        if (verdict === "Valid") return [];
        return [`${this.#nameOf(node)} on #${block.number} of ${this.#nameOf(maker)}: ${verdict}`];
      }),
    );
  }

  /** What is wrong with what is final: two chains of it, or an honest validator without stake. */
  faults(): string[] {
    const highest = this.nodes.reduce((best, node) =>
      node.lastFinalized.number > best.lastFinalized.number ? node : best,
    );
    return this.nodes.flatMap((node) => {
      const { lastFinalized } = node;
      const found: string[] = [];
      if (!isAncestorOrSelf(highest.dag, lastFinalized, highest.lastFinalized)) found.push("another final chain");
      const { stakes } = lastFinalized.bonds;
      for (const { validator } of this.nodes)
        if (stakes.get(hashKey(testKey(validator.name).publicKey)) !== BigInt(honestStake))
          found.push(`${validator.name} has no stake any more`);
      return found.map((fault) => `${this.#nameOf(node)}: ${fault}`);
    });
  }

  /** The lowest of the last final heights. */
  get finalHeight(): number {
    return Math.min(...this.nodes.map(({ lastFinalized }) => Number(lastFinalized.number)));
  }

  /** What the offender has left in what is final at one node. */
  offenderStake(index: number): bigint {
    return this.nodes[index]!.lastFinalized.bonds.stakes.get(hashKey(testKey(offender).publicKey)) ?? 0n;
  }

  #nameOf(node: ArrivalNode): string {
    return `${node.validator.name} (${this.#plan.makes[this.nodes.indexOf(node)]})`;
  }
}
