import { type Block, f1r3node, hashKey } from "@vedette/protocol";
import { isAncestorOrSelf } from "../dag/ancestors.js";
import { ArrivalNode, TestClock } from "./ArrivalNode.js";
import { FakeExecution, type FakeStates } from "./FakeExecution.js";
import { testGenesis, testKey } from "./ProposeNetwork.js";

/** The program of a validator: this one, or f1r3node, of which there is a model. */
export type NodeMake = "vedette" | "f1r3node";

/** The validator that runs twice. */
const offender = "offender";
const honestStake = 10;
/** Below the fault threshold, however few others there are. */
const offenderStake = 4;

/** How a network is made. */
export interface MixedNetworkPlan {
  /** The program of each honest validator. */
  readonly makes: readonly NodeMake[];
  /**
   * Whether the f1r3node nodes judge the two blocks at the same time, and so find both valid. Otherwise each finds the
   * block invalid that it receives last.
   */
  readonly isRaced: boolean;
  /** As {@link ArrivalNodeOptions.maxJudgements}, of each node. */
  readonly maxJudgements?: number | undefined;
}

/** Validators of both makes, and one that runs twice with one key and makes two blocks at the same moment. */
export class MixedNetwork {
  readonly nodes: readonly ArrivalNode[];
  /** The two blocks; empty before they are made. */
  sides: readonly Block[] = [];
  /** The blocks that the offender made upon one of them. */
  readonly further: Block[] = [];
  /** The blocks of honest validators. */
  readonly made: Block[] = [];
  readonly #plan: MixedNetworkPlan;
  readonly #nodeOf: (name: string, make: NodeMake) => ArrivalNode;
  /** The offender's last block before the two. */
  #before: readonly Block[] = [];
  readonly #twins: readonly [ArrivalNode, ArrivalNode];

  private constructor(plan: MixedNetworkPlan) {
    this.#plan = plan;
    const names = plan.makes.map((_, index) => `v${index + 1}`);
    const stakes = Object.fromEntries(names.map((name) => [name, honestStake]));
    const genesis = testGenesis({ ...stakes, [offender]: offenderStake }, undefined, f1r3node);
    const clock = new TestClock();
    const isRaced = ({ hash }: Block) =>
      plan.isRaced && this.sides.some((side) => hashKey(side.hash) === hashKey(hash));
    const f1r3nodeRules = { isRaced, proposer: { slashesUnconfirmed: true } };
    const { postStateHash, bonds } = genesis.body.state;
    // A node of either make fetches a state that it has not made itself.
    const states: FakeStates = new Map();
    const { maxJudgements } = plan;
    this.#nodeOf = (name, make) => {
      const execution = new FakeExecution(postStateHash, bonds, states);
      const rules = make === "f1r3node" ? f1r3nodeRules : {};
      return new ArrivalNode(name, genesis, clock, { followsFloors: true, execution, maxJudgements, ...rules });
    };
    this.nodes = names.map((name, index) => this.#nodeOf(name, plan.makes[index]!));
    this.#twins = [this.#nodeOf(offender, "vedette"), this.#nodeOf(offender, "vedette")];
  }

  /** All make a block and receive those of all others. Then the offender makes two blocks, which are not delivered. */
  static async begin(plan: MixedNetworkPlan): Promise<MixedNetwork> {
    const network = new MixedNetwork(plan);
    const { nodes } = network;
    const twins = network.#twins;
    await network.round();
    await twins[0].receive(...network.made);
    const before = (await twins[0].make())!;
    network.#before = [before];
    for (const node of nodes) await node.receive(before);
    await twins[1].receive(...network.made, before);
    await network.round();
    for (const twin of twins) await twin.receive(...network.made);
    network.sides = [(await twins[0].make())!, (await twins[1].make())!];
    return network;
  }

  /** The offender makes another block upon one of its two, if it can. No other node receives it yet. */
  async offendFurther(side: 0 | 1): Promise<Block | undefined> {
    const twin = this.#twins[side];
    await twin.receive(...this.made);
    const block = await twin.make();
    if (block !== undefined) this.further.push(block);
    return block;
  }

  /** A validator makes a block, if it can. No other node receives it yet. */
  async make(index: number): Promise<Block | undefined> {
    const block = await this.nodes[index]!.make();
    if (block !== undefined) this.made.push(block);
    return block;
  }

  /** Each honest validator in turn makes a block, if it can, and the others receive it. @returns how many were made */
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

  /** Delivers all blocks to all honest nodes. */
  async deliverAll(): Promise<void> {
    for (const node of this.nodes) await node.receive(...this.sides, ...this.made, ...this.further);
  }

  /** A node of Vedette that begins now, and receives one of the two blocks after all others, or never. */
  async observe(last: 0 | 1, isReceived: boolean): Promise<ArrivalNode> {
    const node = this.#nodeOf("observer", "vedette");
    await node.receive(...this.#before, this.sides[1 - last]!, ...this.made, ...this.further);
    if (isReceived) await node.receive(this.sides[last]!);
    return node;
  }

  /** The blocks of honest validators that an honest node does not find valid, each with node and verdict. */
  refusals(): string[] {
    return this.nodes.flatMap((node) =>
      this.made.flatMap((block) => {
        const verdict = node.verdictOn(block) ?? "Valid";
        const maker = this.nodes.find((one) => keyOf(one.validator.name) === hashKey(block.sender))!;
        if (verdict === "Valid") return [];
        return [`${this.#nameOf(node)} on #${block.number} of ${this.#nameOf(maker)}: ${verdict}`];
      }),
    );
  }

  /**
   * Returns faults that must never occur, whatever the rules of f1r3node nodes lead to: two chains of final blocks, an
   * honest validator that Vedette accuses, a block that is valid to Vedette upon one that is not, and a block that
   * Vedette never judges.
   */
  faults(): string[] {
    const highest = this.nodes.reduce((best, node) =>
      node.lastFinalized.number > best.lastFinalized.number ? node : best,
    );
    return this.nodes.flatMap((node, index) => {
      const { lastFinalized } = node;
      const found: string[] = [];
      if (!isAncestorOrSelf(highest.dag, lastFinalized, highest.lastFinalized)) found.push("another final chain");
      if (this.#plan.makes[index] === "vedette") found.push(...this.#faultsOfVedette(node));
      return found.map((fault) => `${this.#nameOf(node)}: ${fault}`);
    });
  }

  /** The honest validators without stake in the final state of some node. f1r3node nodes may come to it (61 §15.6). */
  wronged(): string[] {
    return this.nodes
      .filter(({ validator }) =>
        this.nodes.some(
          ({ lastFinalized }) => lastFinalized.bonds.stakes.get(keyOf(validator.name)) !== BigInt(honestStake),
        ),
      )
      .map((node) => this.#nameOf(node));
  }

  #faultsOfVedette(node: ArrivalNode): string[] {
    const { validator, dag } = node;
    const found: string[] = [];
    for (const block of this.made) {
      const verdict = dag.has(block.hash) ? "" : (node.verdictOn(block) ?? "BlockException");
      if (verdict === "BlockException") found.push(`#${block.number} is not judged`);
    }
    for (const { hash, height } of dag.blocksByHeight(0n, 10_000n))
      for (const parent of dag.require(hash).parents)
        if (dag.isInvalid(parent)) found.push(`#${height} is valid upon a block that is ${dag.invalidReason(parent)}`);
    for (const { sender, body } of this.made)
      for (const { systemDeploy } of body.systemDeploys)
        if (
          hashKey(sender) === keyOf(validator.name) &&
          systemDeploy.kind === "slash" &&
          dag.require(systemDeploy.invalidBlockHash).senderKey !== keyOf(offender)
        )
          found.push("accuses an honest validator");
    return found;
  }

  /** The lowest of the last final heights. */
  get finalHeight(): number {
    return Math.min(...this.nodes.map(({ lastFinalized }) => Number(lastFinalized.number)));
  }

  /** The offender's remaining stake in the bonds of a validator's latest block: those of the final block below it. */
  offenderStake(index: number): bigint {
    const { dag, validator } = this.nodes[index]!;
    return dag.require(dag.latestMessage(keyOf(validator.name))!).bonds.stakes.get(keyOf(offender)) ?? 0n;
  }

  #nameOf(node: ArrivalNode): string {
    return `${node.validator.name} (${this.#plan.makes[this.nodes.indexOf(node)]})`;
  }
}

function keyOf(name: string): string {
  return hashKey(testKey(name).publicKey);
}
