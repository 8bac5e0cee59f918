import { toHex } from "@vedette/crypto";
import { type Block, hashKey } from "@vedette/protocol";
import { TestValidator, type TestValidatorOptions } from "./ProposeNetwork.js";

/** The hour of a network of tests, which goes on with each look. */
export class TestClock {
  #ms = 1_000_000;
  readonly now = (): number => (this.#ms += 10);

  pass(ms: number): void {
    this.#ms += ms;
  }
}

/** How a node is made; what is left out is usual. */
export interface ArrivalNodeOptions extends TestValidatorOptions {
  /** The number of judgements, each block counted as often as it is judged, that must be enough. */
  readonly maxJudgements?: number | undefined;
}

/** A node judges blocks again and again. */
export class EndlessJudgingError extends Error {}

const defaultMaxJudgements = 20_000;

/** A validator that takes blocks in any order: it keeps those that wait for others, and requests dropped ones again. */
export class ArrivalNode {
  readonly validator: TestValidator;
  /** Status of each block by its hash in hexadecimal digits, as it was found last. */
  readonly verdicts = new Map<string, string>();
  readonly #held = new Map<string, Block>();
  readonly #received = new Map<string, Block>();
  readonly #unjudged = new Map<string, number>();
  /** The circumstances in which each block was judged that is not in the DAG. */
  readonly #failures = new Map<string, string>();
  readonly #clock: TestClock;
  readonly #maxJudgements: number;
  #judgements = 0;

  constructor(name: string, genesis: Block, clock: TestClock, { maxJudgements, ...options }: ArrivalNodeOptions = {}) {
    this.#clock = clock;
    this.#maxJudgements = maxJudgements ?? defaultMaxJudgements;
    const rules = { faultToleranceThreshold: 0.1, ...options.rules };
    this.validator = new TestValidator(name, genesis, { ...options, rules, nowMs: clock.now });
  }

  /** How many judgements it has made. */
  get judgements(): number {
    return this.#judgements;
  }

  get dag() {
    return this.validator.chain.dag;
  }

  /** Blocks that it received and that are not in its DAG. */
  get dropped(): Block[] {
    return [...this.#received.values()].filter(({ hash }) => !this.dag.has(hash));
  }

  get lastFinalized() {
    return this.dag.lastFinalized()!;
  }

  async receive(...blocks: readonly Block[]): Promise<void> {
    for (const block of blocks) {
      this.#received.set(hashKey(block.hash), block);
      this.#held.set(hashKey(block.hash), block);
      while (await this.#judgeWhatIsReady());
    }
  }

  verdictOn({ hash }: Block): string | undefined {
    return this.verdicts.get(toHex(hash));
  }

  /** A block with a deploy of its own; `undefined` where none could be made. */
  async make(): Promise<Block | undefined> {
    // Its signature must not depend on what the process has made before: hashes decide between equal blocks.
    this.validator.deploy({ timestamp: BigInt(this.#clock.now()), term: `Nil // ${this.validator.name}` });
    const result = await this.validator.proposer.propose();
    return result.status === "Success" ? result.block : undefined;
  }

  async #judgeWhatIsReady(): Promise<boolean> {
    let changed = this.#takeUpUnjudged();
    for (const [key, block] of [...this.#held]) {
      const missing = this.validator.chain.missingDependencies(block).map(hashKey);
      const dropped = missing.filter((one) => this.#received.has(one) && !this.#held.has(one) && !this.#isFutile(one));
      for (const one of dropped) this.#held.set(one, this.#received.get(one)!);
      changed ||= dropped.length > 0 || missing.length === 0;
      if (missing.length > 0) continue;
      this.#held.delete(key);
      await this.#judge(key, block);
    }
    return changed;
  }

  async #judge(key: string, block: Block): Promise<void> {
    this.#judgements += 1;
    if (this.#judgements > this.#maxJudgements)
      throw new EndlessJudgingError(`${this.validator.name} still judges after ${this.#maxJudgements} judgements`);
    const isAwaited = this.#isAwaited(key);
    const { status } = await this.validator.chain.process(block, isAwaited);
    this.verdicts.set(toHex(block.hash), status.status);
    if (!this.dag.has(block.hash)) this.#failures.set(key, this.#seen(isAwaited));
    if (status.status === "BlockException") this.#unjudged.set(key, this.dag.changes);
  }

  /** Whether another try would see what the last one saw. @spec 40 §17.3 */
  #isFutile(key: string): boolean {
    return this.#failures.get(key) === this.#seen(this.#isAwaited(key));
  }

  #seen(isAwaited: boolean): string {
    return `${this.dag.changes} ${isAwaited}`;
  }

  /** A block that could not be judged is tried again when the DAG has changed. */
  #takeUpUnjudged(): boolean {
    let changed = false;
    for (const [key, changes] of this.#unjudged) {
      if (changes === this.dag.changes) continue;
      this.#unjudged.delete(key);
      this.#held.set(key, this.#received.get(key)!);
      changed = true;
    }
    return changed;
  }

  #isAwaited(key: string): boolean {
    const { chain } = this.validator;
    return [...this.#held.values()].some((block) =>
      chain.missingDependencies(block).some((missing) => hashKey(missing) === key),
    );
  }
}

/** Each node makes a block in turn, and all others receive it. */
export async function makeRounds(count: number, nodes: readonly ArrivalNode[]): Promise<void> {
  for (let round = 0; round < count; round += 1)
    for (const maker of nodes) {
      const block = await maker.make();
      if (block !== undefined) for (const node of nodes) if (node !== maker) await node.receive(block);
    }
}
