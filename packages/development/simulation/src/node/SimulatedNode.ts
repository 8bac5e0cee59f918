import type { ApprovedBlock } from "@vedette/protocol";
import { StoreError } from "@vedette/store";
import { SimulatedDisk } from "../disk/SimulatedDisk.js";
import type { SeededRandom } from "../random/SeededRandom.js";
import {
  type MessageInterceptor,
  type NodeFacts,
  NodeProcess,
  type ProcessWatch,
  type SimulationContext,
} from "./NodeProcess.js";

/** The options of a node. */
export interface SimulatedNodeOptions {
  readonly facts: NodeFacts;
  readonly world: SimulationContext;
  readonly random: SeededRandom;
  readonly watch: Omit<ProcessWatch, "ended">;
  /** The interceptor of a liar. */
  readonly interceptor?: MessageInterceptor | undefined;
  /** The approved block of a founder of the network. */
  readonly founding?: ApprovedBlock | undefined;
  readonly diskLies: boolean;
  /** Receives errors that no fault accounts for. */
  readonly unforeseen: (error: unknown) => void;
}

/** A supervisor starts a process again that has ended by itself. */
const restartMs = 2_000;
/** A node must stop within this time after a request, or is killed. */
const graceMs = 10_000;

/** A node through all of its lives. */
export class SimulatedNode {
  readonly facts: NodeFacts;
  readonly disk: SimulatedDisk;
  readonly #use: SimulatedNodeOptions;
  /** The owner of what the supervisor does. */
  readonly #supervisor: { readonly name: string; readonly isAlive: true };
  process: NodeProcess | undefined;
  readonly #processes: NodeProcess[] = [];
  /** Until when it is not started. */
  #downUntilMs = 0;
  lives = 0;

  constructor(use: SimulatedNodeOptions) {
    this.#use = use;
    this.facts = use.facts;
    this.disk = new SimulatedDisk(use.diskLies);
    this.#supervisor = { name: `${use.facts.name}'s supervisor`, isAlive: true };
  }

  get name(): string {
    return this.facts.name;
  }

  get isRunning(): boolean {
    return this.process?.isAlive === true && this.process.engine.value.status().state === "running";
  }

  start(): void {
    if (this.process?.isAlive === true) return;
    const { world, watch, interceptor, founding, unforeseen } = this.#use;
    const failuresBefore = this.disk.failures;
    let process: NodeProcess;
    try {
      process = new NodeProcess(
        this.facts,
        (it) => ({ ...this.disk.open(it), freeBytes: () => this.disk.freeBytes }),
        world,
        {
          watch: { ...watch, ended: () => this.#startLater(restartMs) },
          interceptor,
        },
      );
    } catch (error) {
      if (this.disk.failures === failuresBefore) unforeseen(error);
      this.#startLater(restartMs);
      return;
    }
    this.lives += 1;
    this.#processes.push(process);
    this.process = process;
    process.run(founding).then(
      () => this.#endedItself(process),
      (error: unknown) => {
        if (!process.isAlive) return;
        if (!isOfDisk(error) || this.disk.failures === failuresBefore) unforeseen(error);
        this.#endedItself(process);
      },
    );
  }

  /** Ends it at once. @param forMs how long it is not started again */
  kill(forMs: number): void {
    this.#downUntilMs = this.#use.world.time.nowMs + forMs;
    if (this.process?.isAlive === true) this.process.crash();
    else this.#startLater(restartMs);
  }

  /** Ends it as an operator does. */
  stop(forMs: number, isLate: () => void): void {
    const { process } = this;
    if (process?.isAlive !== true) return;
    this.#downUntilMs = this.#use.world.time.nowMs + forMs;
    process.stop();
    this.#use.world.time.after(graceMs * process.slowness, this.#supervisor, "grace", () => {
      if (!process.isAlive) return;
      isLate();
      process.crash();
    });
  }

  /** Ends it, and takes from the disk what it only seemed to have. */
  cutPower(forMs: number): void {
    const { time } = this.#use.world;
    this.kill(forMs);
    this.disk.losePower(this.#use.random);
    this.#downUntilMs = time.nowMs + forMs;
  }

  /** The simulation is over. What waits for the signals of its processes would stay in memory for ever. */
  forget(): void {
    for (const process of this.#processes) {
      process.crash();
      process.stop();
    }
  }

  #endedItself(process: NodeProcess): void {
    if (process.isAlive) process.crash();
  }

  #startLater(ms: number): void {
    const { time } = this.#use.world;
    const left = Math.max(ms, this.#downUntilMs - time.nowMs);
    time.after(left, this.#supervisor, "start", () => {
      if (time.nowMs >= this.#downUntilMs) this.start();
      else this.#startLater(restartMs);
    });
  }
}

function isOfDisk(error: unknown): boolean {
  return error instanceof StoreError || (error instanceof Error && error.name === "Crash");
}
