import { BlockTable } from "@vedette/chain";
import { findOutcome, mergeableIdOf } from "@vedette/execution";
import { RnodeExecutor } from "@vedette/executor";
import { executorHere } from "@vedette/executor/testing";
import { accountGenesis, fillWithGenesis, SoloValidator, userDeploy } from "@vedette/node/testing";
import type { Block } from "@vedette/protocol";
import { rnode } from "@vedette/protocol";
import { EventLog } from "@vedette/queries/events";
import { MemoryStore, tablesOf } from "@vedette/store";
import { StateStore } from "@vedette/tuplespace";

const beginMs = 1_700_000_000_000;
let logs = 0;

/** A validator in memory that keeps a log of events, as nodes do. */
export class LoggedChain {
  readonly state = new MemoryStore(tablesOf("state"));
  readonly chain = new MemoryStore(tablesOf("chain"));
  readonly log: EventLog;
  readonly states = new StateStore(this.state);
  readonly blocks = new BlockTable(this.chain, { form: rnode.blockForm });
  #validator: SoloValidator | undefined;
  #height = 0;

  /** @param capacity entries that its log keeps */
  constructor(capacity?: number) {
    logs += 1;
    const id = Uint8Array.of(logs, 0, 0, 0, 0, 0, 0, 0);
    this.log = new EventLog({ store: this.chain, newId: () => id, capacity, hasOneParent: true });
  }

  readonly findOutcome = (block: Block) => findOutcome(this.state, mergeableIdOf(block));

  static async begin(blocks: number, capacity?: number): Promise<LoggedChain> {
    const made = new LoggedChain(capacity);
    const genesis = await accountGenesis();
    await fillWithGenesis(made.state, genesis);
    const executor = executorHere(new RnodeExecutor(made.state));
    const validator = new SoloValidator("v1", await executor.makeEmptyState(), {
      ...{ executor, store: made.chain, record: made.log.record },
      nowMs: () => beginMs + 1_000 * made.#height,
    });
    made.log.open(validator.chain.dag, 0.1);
    await validator.beginOn(genesis);
    made.#validator = validator;
    for (let number = 0; number < blocks; number += 1) await made.grow();
    return made;
  }

  /** @returns the result of another validator's block */
  take(block: Block): Promise<string> {
    return this.#validator!.take(block);
  }

  /** @param term its deploy */
  async grow(term = `@"same"!(${this.#height}) | for (_ <- @"same") { Nil }`): Promise<Block> {
    const validAfterBlockNumber = BigInt(this.#height);
    this.#height += 1;
    const timestamp = BigInt(beginMs + this.#height);
    await this.#validator!.proposing.submit(userDeploy("u1", term, { timestamp, validAfterBlockNumber }));
    return this.#validator!.make();
  }
}
