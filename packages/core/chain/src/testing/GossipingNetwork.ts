import { type Block, f1r3node, hashKey } from "@vedette/protocol";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import { ArrivalNode, TestClock } from "./ArrivalNode.js";
import { contestedTerm } from "./f1r3nodeParts.js";
import type { NodeMake } from "./MixedNetwork.js";
import { testGenesis } from "./ProposeNetwork.js";

/** Honest validators of both makes that receive each other's blocks sooner or later. */
export class GossipingNetwork {
  readonly nodes: readonly ArrivalNode[];
  readonly made: Block[] = [];
  readonly #withheld: readonly Block[][];
  #deploys = 0;

  constructor(makes: readonly NodeMake[]) {
    const names = makes.map((_, index) => `v${index + 1}`);
    const genesis = testGenesis(Object.fromEntries(names.map((name) => [name, 10])), undefined, f1r3node);
    const clock = new TestClock();
    const f1r3nodeRules = { isRaced: () => false, proposer: { slashesUnconfirmed: true } };
    this.nodes = names.map(
      (name, index) =>
        new ArrivalNode(name, genesis, clock, {
          followsFloors: true,
          ...(makes[index] === "f1r3node" ? f1r3nodeRules : {}),
        }),
    );
    this.#withheld = names.map(() => []);
  }

  /** Validators get a deploy. @param isContested it contests with all others of the kind what is there once */
  deploy([index, ...others]: readonly [number, ...number[]], isContested: boolean): void {
    const { validator, dag } = this.nodes[index]!;
    const validAfterBlockNumber = dag.nextBlockNumber() - 1n;
    this.#deploys += 1;
    const timestamp = BigInt(this.#deploys);
    const term = isContested ? contestedTerm : "Nil";
    const deploy = validator.deploy({ timestamp, validAfterBlockNumber, term });
    for (const other of others) this.nodes[other]!.validator.pool.submit(deploy);
  }

  /** A validator makes a block, if it can; no other receives it yet. */
  async make(index: number): Promise<Block | undefined> {
    const result = await this.nodes[index]!.validator.proposer.propose();
    if (result.status !== "Success") return undefined;
    this.made.push(result.block);
    for (const [other, waiting] of this.#withheld.entries()) if (other !== index) waiting.push(result.block);
    return result.block;
  }

  /** Delivers to a validator one of the blocks that it lacks. @param pick chooses an index below a count */
  async deliver(index: number, pick: (count: number) => number): Promise<void> {
    const waiting = this.#withheld[index]!;
    if (waiting.length > 0) await this.nodes[index]!.receive(...waiting.splice(pick(waiting.length), 1));
  }

  /** Delivers all blocks to all validators, and then each block that they make in turn. */
  async settle(rounds: number): Promise<void> {
    await this.#deliverAll();
    for (let round = 0; round < rounds; round += 1)
      for (const index of this.nodes.keys()) {
        await this.make(index);
        await this.#deliverAll();
      }
  }

  /** How often an honest block was not found valid. */
  get refusals(): number {
    const statuses = this.nodes.flatMap((node) => this.made.map((block) => node.verdictOn(block) ?? "Valid"));
    return statuses.filter((status) => status !== "Valid").length;
  }

  /**
   * Deploys in final blocks that have no effect in the final state, and that no record lets come again.
   *
   * @returns `hashKey`s of their signatures
   */
  get lost(): readonly string[] {
    const { validator, dag, lastFinalized } = this.nodes[0]!;
    const { facts, lineage } = validator.f1r3node!.consensus;
    const kept = lineage.effectsDownTo(lastFinalized, 0n);
    const last = new Map<string, { readonly number: bigint; readonly isRejected: boolean }>();
    const note = (key: string, number: bigint, isRejected: boolean) => {
      const known = last.get(key);
      if (known === undefined || number > known.number || (number === known.number && isRejected))
        last.set(key, { number, isRejected });
    };
    for (const { hash, height } of dag.blocksByHeight(0n, lastFinalized.number)) {
      if (!dag.require(hash).finalized) continue;
      const { included, rejections } = facts.factsOf(hash);
      for (const key of included) note(key, height, false);
      for (const { signature, duplicate } of rejections) if (duplicate !== true) note(hashKey(signature), height, true);
    }
    return [...last].flatMap(([key, { isRejected }]) => (isRejected || kept.has(key) ? [] : [key]));
  }

  /** How many deploys came into the final state more than once. */
  get repeated(): number {
    const { validator, lastFinalized } = this.nodes[0]!;
    const { facts, lineage } = validator.f1r3node!.consensus;
    const [once, twice] = [new Set<string>(), new Set<string>()];
    for (let at: BlockMetadata | undefined = lastFinalized; at !== undefined; at = lineage.stateParent(at))
      for (const key of facts.factsOf(at.hash).introduced) (once.has(key) ? twice : once).add(key);
    return twice.size;
  }

  /**
   * How many blocks have the parents and the justifications of another one, and another main parent: f1r3node takes
   * the state of one for that of the other.
   *
   * @spec 61 §13.7
   */
  get confusable(): number {
    const mainParents = new Map<string, Set<string>>();
    for (const { parents, justifications } of this.made) {
      const latest = justifications.map(({ latestBlockHash }) => hashKey(latestBlockHash)).sort();
      const name = [...parents.map(hashKey).sort(), "", ...latest].join();
      mainParents.set(name, (mainParents.get(name) ?? new Set()).add(hashKey(parents[0]!)));
    }
    return [...mainParents.values()].filter(({ size }) => size > 1).length;
  }

  async #deliverAll(): Promise<void> {
    for (const [index, waiting] of this.#withheld.entries()) await this.nodes[index]!.receive(...waiting.splice(0));
  }
}
