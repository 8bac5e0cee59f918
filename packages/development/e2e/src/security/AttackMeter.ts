import { setMaxListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { slowness, until } from "@vedette/testing";
import type { Attack, AttackedProgram } from "./Attack.js";
import { type AnswerTimes, HonestClient } from "./HonestClient.js";
import { ResidentMemory } from "./ResidentMemory.js";

/** The cost of an attack to a program, and its gain for the attacker. */
export interface AttackCost {
  readonly name: string;
  readonly before: AnswerTimes;
  readonly during: AnswerTimes;
  readonly after: AnswerTimes;
  /** Bytes. */
  readonly memory: { readonly before: number; readonly highest: number; readonly after: number };
  /** The longest time that the program's main thread was late during the attack, by its own metrics; `undefined` where it has none. */
  readonly loopDelayMs: number | undefined;
  readonly isRunning: boolean;
  /** How many blocks after its acceptance an honest deploy was in one. */
  readonly deployBlocks: number;
  /** How long the attack lasted, and how long it took until all was well when it was over. Milliseconds. */
  readonly tookMs: readonly [attack: number, end: number];
  /** The attacker's gains. */
  readonly gains: readonly string[];
  /** How many times slower than a quiet machine this one was. */
  readonly slowness: number;
}

const answersBeside = 40;
const answersDuring = 250;
/** How long memory may take to come back, on a quiet machine. */
const restMs = 60_000;
const lookMs = 250;
/** How far above what it was before memory may stay. */
export const memoryRatio = 1.3;

/** Measures what attacks cost one program, one after the other. */
export class AttackMeter<Target extends AttackedProgram> implements AsyncDisposable {
  readonly #target: Target;
  readonly #client: HonestClient;
  readonly #memory: ResidentMemory;

  constructor(target: Target) {
    this.#target = target;
    this.#client = new HonestClient(target);
    this.#memory = new ResidentMemory(target.pid);
  }

  /** Attacks until an honest client has sent enough requests, and an honest deploy is in a block. */
  async measure(attack: Attack<Target>): Promise<AttackCost> {
    const before = await this.#answers(answersBeside);
    const slownessBefore = slowness();
    const memoryBefore = this.#memory.now();
    this.#memory.takeHighest();
    await this.#loopDelay();
    const { gains, deployBlocks, tookMs } = await this.#attack(attack);
    const during = this.#client.take();
    const loopDelayMs = await this.#loopDelay();
    const highest = this.#memory.takeHighest();
    const slow = Math.max(slownessBefore, slowness());
    const memoryAfter = await this.#memoryAfter(memoryBefore * memoryRatio, restMs * slow);
    this.#client.take();
    const after = await this.#answers(answersBeside);
    return {
      ...{ name: attack.name, before, during, after, loopDelayMs, gains, deployBlocks, tookMs, slowness: slow },
      memory: { before: memoryBefore, highest, after: memoryAfter },
      isRunning: this.#target.isRunning,
    };
  }

  async #attack(attack: Attack<Target>): Promise<Pick<AttackCost, "gains" | "deployBlocks" | "tookMs">> {
    const beganMs = performance.now();
    const enough = new AbortController();
    setMaxListeners(0, enough.signal);
    const running = attack.run(this.#target, enough.signal);
    const watching = this.#watch();
    try {
      // An attack that fails by itself is not waited for.
      const deployBlocks = await Promise.race([watching, running.then(() => watching)]);
      const enoughMs = performance.now();
      enough.abort();
      const gains = await running;
      return { gains, deployBlocks, tookMs: [enoughMs - beganMs, performance.now() - enoughMs] };
    } finally {
      enough.abort();
      watching.catch(() => undefined);
    }
  }

  /** @returns how many blocks later the honest deploy was in one */
  async #watch(): Promise<number> {
    await this.#client.untilAnswered(answersDuring / 5);
    const deploy = await this.#target.sendDeploy();
    const height = await until(
      "an honest deploy to be in a block",
      () => this.#target.heightOf(deploy).catch(() => undefined),
      { everyMs: lookMs },
    );
    await this.#client.untilAnswered(answersDuring);
    return height - deploy.height;
  }

  async #answers(count: number): Promise<AnswerTimes> {
    this.#client.take();
    await this.#client.untilAnswered(count);
    return this.#client.take();
  }

  /** Waits until memory is as low as that, or the time is over. @returns bytes */
  async #memoryAfter(limit: number, limitMs: number): Promise<number> {
    const endMs = performance.now() + limitMs;
    let bytes = this.#memory.now();
    while (bytes > limit && performance.now() < endMs) {
      await sleep(lookMs);
      bytes = this.#memory.now();
    }
    return bytes;
  }

  /** The longest delay of the program's event loop since the last call, by its metrics. */
  async #loopDelay(): Promise<number | undefined> {
    const text = await fetch(`http://127.0.0.1:${this.#target.statusPort}/metrics`).then(
      (answer) => answer.text(),
      () => "",
    );
    const seconds = /^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(text)?.[1];
    return seconds === undefined ? undefined : Number(seconds) * 1_000;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#memory[Symbol.dispose]();
    await this.#client[Symbol.asyncDispose]();
  }
}
