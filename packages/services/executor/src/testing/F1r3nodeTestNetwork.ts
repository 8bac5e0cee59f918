import { f1r3nodeGenesisCase, testKey } from "@vedette/chain/testing";
import { toHex, vaultAddressOfPublicKey } from "@vedette/crypto";
import { exploreDeploy, F1r3nodeStates, f1r3nodeExecution } from "@vedette/execution";
import { type Block, type Deploy, hashKey } from "@vedette/protocol";
import { MemoryStore, type Store, tablesOf } from "@vedette/store";
import { f1r3nodeSpace, StateStore } from "@vedette/tuplespace";
import { copyOf, F1r3nodeValidator, type F1r3nodeValidatorOptions } from "./F1r3nodeValidator.js";
import { f1r3nodeChain } from "./f1r3nodeChain.js";
import { f1r3nodeTransferTerm } from "./transferTerm.js";

/** Validators of the network, and as many users. */
const validatorNames = ["v1", "v2", "v3"] as const;
const userNames = ["u1", "u2", "u3"] as const;
/** Validator that tests may bond later. */
export const laterValidator = "v4";

/** Genesis of a network. */
export interface F1r3nodeBeginning {
  readonly block: Block;
  /** Has the state after it. */
  readonly stateStore: Store;
}

/** The first block of a recorded network of three validators. @throws Error when the recordings are not there */
export function recordedBeginning(): F1r3nodeBeginning {
  const { blocks, store } = f1r3nodeChain("trio-r", 0n);
  return { block: blocks[0]!, stateStore: store };
}

let own: F1r3nodeBeginning | undefined;

/**
 * The first block of a network with our own contracts and the same validators, users and rules. It is made once in a
 * process; callers must not change its states.
 */
export function ownBeginning(): F1r3nodeBeginning {
  return (own ??= makeBeginning());
}

function makeBeginning(): F1r3nodeBeginning {
  const stateStore = new MemoryStore(tablesOf("state"));
  const states = new F1r3nodeStates(stateStore, new StateStore(stateStore, { form: f1r3nodeSpace }));
  const parameters = { epochLength: 6, quarantineLength: 6, faultToleranceThresholdPpm: 100_000 };
  const stakes = { v1: 1000, v2: 1100, v3: 900 };
  return {
    block: f1r3nodeGenesisCase(states, { stakes, payers: [...userNames, laterValidator], parameters }),
    stateStore,
  };
}

/** The results of a round. */
export interface Round {
  readonly blocks: readonly Block[];
  /** Statuses other than valid that other validators gave. */
  readonly refusals: readonly string[];
}

/** Three validators that each execute every block. */
export class F1r3nodeTestNetwork {
  readonly validators: F1r3nodeValidator[];
  /** Deploys that contest one cell. */
  readonly contested: Deploy[] = [];
  readonly blocks: Block[] = [];

  readonly #beginning: F1r3nodeBeginning;
  readonly #options: F1r3nodeValidatorOptions;

  private constructor(
    beginning: F1r3nodeBeginning,
    options: F1r3nodeValidatorOptions,
    validators: F1r3nodeValidator[],
  ) {
    this.#beginning = beginning;
    this.#options = options;
    this.validators = validators;
  }

  static async begin(
    { block, stateStore }: F1r3nodeBeginning,
    options: F1r3nodeValidatorOptions = {},
  ): Promise<F1r3nodeTestNetwork> {
    const validators = validatorNames.map((name) =>
      F1r3nodeValidator.begin(name, block, { ...options, stateStore: copyOf(stateStore) }),
    );
    return new F1r3nodeTestNetwork({ block, stateStore }, options, await Promise.all(validators));
  }

  /** Adds a node with another key, which validates all blocks so far. @throws TypeError when it finds one not valid */
  async join(name: string): Promise<void> {
    const { block: genesis, stateStore } = this.#beginning;
    const joining = await F1r3nodeValidator.begin(name, genesis, { ...this.#options, stateStore: copyOf(stateStore) });
    for (const block of this.blocks) {
      const status = await joining.take(block);
      if (status !== "Valid") throw new TypeError(`${name} on #${block.number}: ${status}`);
    }
    joining.nowMs = this.validators[0]!.nowMs;
    this.validators.push(joining);
  }

  /** One validator makes a block, which all others take before anything else happens. */
  async alone(index: number): Promise<Block> {
    const { blocks, refusals } = await this.round([index]);
    if (refusals.length > 0) throw new TypeError(refusals.join());
    return blocks[0]!;
  }

  /** Validators make blocks on those that each knows, then receive those of the others, each in another order. */
  async round(makers: readonly number[] = [0, 1, 2]): Promise<Round> {
    const blocks: Block[] = [];
    for (const validator of this.validators) validator.nowMs += 1_000;
    for (const index of makers) blocks.push(await this.validators[index]!.make());
    this.blocks.push(...blocks);
    const refusals: string[] = [];
    for (const [index, validator] of this.validators.entries()) {
      const turned = index % 2 === 0 ? blocks : [...blocks].reverse();
      for (const block of turned) {
        if (validator.chain.dag.has(block.hash)) continue;
        const status = await validator.take(block);
        if (status !== "Valid") refusals.push(`${validator.name} on #${block.number}: ${status}`);
      }
    }
    return { blocks, refusals };
  }

  /** Fills the cell that {@link contest} contests. */
  async fillCell(): Promise<void> {
    this.validators[0]!.deploy("u1", '@"cell"!("begun", 0)');
    await this.alone(0);
  }

  /** Each validator gets a deploy that wants the one cell, and one that moves something between vaults. */
  contest(round: number): void {
    for (const [index, user] of userNames.entries()) {
      const validator = this.validators[index]!;
      const term = `for (@text, @count <- @"cell") { @"cell"!("${user} ${round}", count + 1) }`;
      this.contested.push(validator.deploy(user, term));
      const addressOf = (name: string) => vaultAddressOfPublicKey(testKey(name).publicKey)!;
      const other = userNames[(index + 1) % userNames.length]!;
      validator.deploy(user, f1r3nodeTransferTerm(addressOf(user), addressOf(other), 100 + round));
    }
  }

  /** Facts that all validators must agree on, of each. */
  views(): readonly NetworkView[] {
    return this.validators.map((validator) => ({
      latest: validator.chain.dag.latestMessages().map(({ hash }) => toHex(hash)),
      lastFinalized: validator.lastFinalized,
      floors: this.blocks.map(({ hash }) => validator.floorOf(hash)),
    }));
  }

  /** How often the cell was counted up in the state after a block. */
  countAfter(block: Block): bigint {
    const source = 'new return in { for (@text, @count <<- @"cell") { return!(count) } }';
    const unsigned = { deployer: new Uint8Array(65).fill(4), signature: new Uint8Array(65).fill(4), timestamp: 0n };
    const states = new StateStore(this.validators[0]!.stateStore, { form: f1r3nodeSpace });
    const root = block.body.state.postStateHash;
    const result = exploreDeploy(states, { root, source, form: f1r3nodeExecution, ...unsigned });
    const expr = result.kind === "values" ? result.pars[0]?.exprs[0] : undefined;
    if (expr?.kind !== "GInt") throw new TypeError("the cell cannot be read");
    return expr.value;
  }

  /** How many rejections blocks have, and of how many deploys. */
  rejections(): { readonly records: number; readonly deploys: number } {
    const all = this.blocks.flatMap(({ body }) => body.rejectedDeploys);
    return { records: all.length, deploys: new Set(all.map(({ signature }) => hashKey(signature))).size };
  }
}

/** The view that a validator has of the chain. */
export interface NetworkView {
  readonly latest: readonly string[];
  readonly lastFinalized: { readonly hash: string; readonly number: number };
  readonly floors: readonly string[];
}
