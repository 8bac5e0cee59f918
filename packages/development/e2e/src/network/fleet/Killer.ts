import { setTimeout as sleep } from "node:timers/promises";
import { SeededNumbers } from "@vedette/devtools/devnet";
import { errorText } from "@vedette/errors";
import { until } from "@vedette/testing";
import type { CommandProcess } from "../CommandProcess.js";
import type { FleetProcesses } from "./FleetProcesses.js";
import type { ReplicaProcess } from "./ReplicaProcess.js";

/** The killed part: `disk` is a replica that also loses its data. */
export type KillKind = "publisher" | "replica" | "disk" | "nats" | "s3";

/** The shares in a hundred kills. */
const shares: readonly (readonly [KillKind, number])[] = [
  ["publisher", 30],
  ["replica", 40],
  ["disk", 5],
  ["nats", 15],
  ["s3", 10],
];
const between = { minMs: 500, maxMs: 4_000 };
const away = { minMs: 50, maxMs: 6_000 };
/** A replica that is at most this many seconds behind still answers. */
const behindSeconds = 3_600;
const retryMs = 500;
const linesReported = 5;

/**
 * Kills a fleet's members, its NATS and its S3 server, each by SIGKILL, at times and in an order that follow from a
 * seed, and starts each again after a while. One replica is left to answer: the last that does is not killed.
 */
export class Killer {
  readonly kills: Record<KillKind, number> = { publisher: 0, replica: 0, disk: 0, nats: 0, s3: 0 };
  readonly #fleet: FleetProcesses;
  readonly #numbers: SeededNumbers;
  readonly #away = new Set<unknown>();
  readonly #returning = new Set<Promise<void>>();
  /** Members that ended by themselves, and their last output. */
  readonly ended: string[] = [];

  constructor(fleet: FleetProcesses, seed: number) {
    this.#fleet = fleet;
    this.#numbers = new SeededNumbers(seed);
  }

  /** Works until the signal, and then until all is back. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await sleep(this.#within(between), undefined, { signal }).catch(() => {});
      this.#watch();
      if (!signal.aborted) await this.#killOne(this.#kind());
    }
    await Promise.all(this.#returning);
    this.#watch();
  }

  /** Restarts members that have ended by themselves, as a service manager does. */
  #watch(): void {
    const { publishers, replicas } = this.#fleet;
    for (const member of [...publishers, ...replicas]) {
      if (this.#away.has(member) || !member.hasEnded) continue;
      this.ended.push(member.said.trimEnd().split("\n").slice(-linesReported).join("\n"));
      if ("start" in member) member.start();
      else member.restart();
    }
  }

  /** All numbers of a kill are drawn, with any outcome, so that the seed determines the whole order. */
  async #killOne(kind: KillKind): Promise<void> {
    const [nth, awayMs] = [this.#numbers.below(1_000), this.#within(away)];
    const { publishers, replicas, nats, s3 } = this.#fleet;
    switch (kind) {
      case "publisher": {
        const one = publishers[nth % publishers.length]!;
        return this.#kill(kind, one, awayMs, { kill: () => end(one), restart: () => one.start() });
      }
      case "nats":
        return this.#kill(kind, nats, awayMs, { kill: () => nats.kill(), restart: () => nats.begin() });
      case "s3":
        return this.#kill(kind, s3, awayMs, { kill: () => s3.kill(), restart: () => s3.begin() });
      case "replica": {
        const one = replicas[nth % replicas.length]!;
        if (!(await this.#isAnotherThere(one))) return;
        return this.#kill(kind, one, awayMs, { kill: () => end(one), restart: () => one.restart() });
      }
      case "disk": {
        // Always the same one, so that the others have all events from the beginning.
        const one = replicas.at(-1)!;
        if (!(await this.#isAnotherThere(one))) return;
        const restart = async () => one.restart(await this.#snapshot());
        return this.#kill(kind, one, awayMs, { kill: () => end(one), restart });
      }
    }
  }

  async #kill(
    kind: KillKind,
    member: object,
    awayMs: number,
    { kill, restart }: { readonly kill: () => Promise<unknown>; readonly restart: () => Promise<void> | void },
  ): Promise<void> {
    if (this.#away.has(member)) return;
    this.#away.add(member);
    await kill();
    this.kills[kind] += 1;
    const returning = (async () => {
      await sleep(awayMs);
      await restart();
      this.#away.delete(member);
    })();
    this.#returning.add(returning);
    void returning.then(() => this.#returning.delete(returning));
  }

  async #isAnotherThere(one: ReplicaProcess): Promise<boolean> {
    const others = this.#fleet.replicas.filter((replica) => replica !== one && !this.#away.has(replica));
    return (await Promise.all(others.map((replica) => replica.isReady(behindSeconds)))).includes(true);
  }

  /** The S3 server may be away just now. */
  #snapshot() {
    let last = "";
    const make = () =>
      this.#fleet.makeSnapshot().catch((error: unknown) => {
        last = errorText(error);
        return undefined;
      });
    return until("a snapshot to be made", make, { everyMs: retryMs, state: () => last });
  }

  #kind(): KillKind {
    let left = this.#numbers.below(100);
    for (const [kind, share] of shares) {
      if (left < share) return kind;
      left -= share;
    }
    return "replica";
  }

  #within({ minMs, maxMs }: typeof away): number {
    return minMs + this.#numbers.below(maxMs - minMs);
  }
}

function end(member: CommandProcess | ReplicaProcess): Promise<unknown> {
  return member.end("SIGKILL");
}
