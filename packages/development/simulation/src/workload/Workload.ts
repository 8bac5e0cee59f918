import { toHex } from "@vedette/crypto";
import { type Deploy, type DeployKey, hashKey, signDeploy } from "@vedette/protocol";
import type { SimulatedNode } from "../node/SimulatedNode.js";
import type { SeededRandom } from "../random/SeededRandom.js";
import type { Owner, VirtualTime } from "../time/VirtualTime.js";

/** Programs of users. */
export interface Programs {
  /** Returns the next deploy of a user. */
  next(random: SeededRandom): { readonly key: DeployKey; readonly term: string };
}

/** The parts that a workload works with. */
export interface WorkloadOptions {
  readonly time: VirtualTime;
  readonly random: SeededRandom;
  readonly programs: Programs;
  /** Unix milliseconds at which the time begins. */
  readonly beganMs: number;
  readonly everyMs: number;
  /** Honest validators. */
  readonly validators: readonly SimulatedNode[];
}

/** A deploy that a validator has taken, and has to keep through all of its lives. */
export interface Accepted {
  readonly deploy: Deploy;
  readonly by: string;
  /** No block from this height on can have it. */
  readonly expiresAt: bigint;
}

const deployLifespan = 50n;

/** Users that go on deploying. */
export class Workload {
  readonly accepted = new Map<string, Accepted>();
  refused = 0;
  #made = 0;
  #isOver = false;
  readonly #use: WorkloadOptions;
  readonly #owner: Owner = { name: "users", isAlive: true };

  constructor(use: WorkloadOptions) {
    this.#use = use;
  }

  start(): void {
    this.#later();
  }

  end(): void {
    this.#isOver = true;
  }

  /** Sends a deploy to a random validator. */
  submit(key: DeployKey, term: string): void {
    this.#submitTo(this.#use.random.pick(this.#use.validators), key, term);
  }

  /** Sends a generated deploy to one validator, which can then make a block. */
  submitTo(node: SimulatedNode): void {
    const { key, term } = this.#use.programs.next(this.#use.random);
    this.#submitTo(node, key, term);
  }

  #submitTo(node: SimulatedNode, key: DeployKey, term: string): void {
    const { beganMs, time } = this.#use;
    const { process } = node;
    if (!node.isRunning || process?.proposing === undefined) return;
    this.#made += 1;
    const height = process.chain.dag.nextBlockNumber() - 1n;
    const unsigned = {
      ...{ term, timestamp: BigInt(Math.floor(beganMs + time.nowMs) + this.#made), phloPrice: 1n, phloLimit: 500_000n },
      ...{ validAfterBlockNumber: height > 0n ? height - 1n : 0n, shardId: "root" },
    };
    const deploy = signDeploy(unsigned, key);
    process.proposing.submit(deploy).then(
      (refusal) => {
        if (refusal !== undefined) this.refused += 1;
        else if (process.isAlive)
          this.accepted.set(hashKey(deploy.signature), {
            ...{ deploy, by: node.name, expiresAt: unsigned.validAfterBlockNumber + deployLifespan },
          });
      },
      () => {
        this.refused += 1;
      },
    );
  }

  #later(): void {
    const { time, random, everyMs, programs } = this.#use;
    time.after(everyMs * 2 * random.unit(), this.#owner, "deploy", () => {
      if (this.#isOver) return;
      const { key, term } = programs.next(random);
      this.submit(key, term);
      this.#later();
    });
  }
}

const cells = 3;

/** Programs of the ledger: transfers, cells that many want, contracts. */
export class LedgerPrograms implements Programs {
  readonly #users: readonly DeployKey[];

  constructor(users: readonly DeployKey[]) {
    this.#users = users;
  }

  next(random: SeededRandom): { readonly key: DeployKey; readonly term: string } {
    const key = random.pick(this.#users);
    const cell = random.below(cells);
    switch (random.below(6)) {
      case 0:
        return { key, term: `put ${cell} ${random.from(1, 20)}` };
      case 1:
      case 2:
        return { key, term: `take ${cell} ${random.from(1, 20)}` };
      case 3:
        return { key, term: `call ${random.below(4)}` };
      default:
        return { key, term: `transfer ${toHex(random.pick(this.#users).publicKey)} ${random.from(1, 1_000)}` };
    }
  }
}
