import type { NetworkProcesses } from "@vedette/e2e";
import { heldMemory } from "@vedette/executor/threads";
import type { MeasurementWindows } from "./MeasurementWindows.js";
import { type ProcessFigures, processFigures, processorSeconds } from "./ProcessFigures.js";
import { type Point, slopePerHour } from "./slope.js";

const sampleMs = 2_000;
/** Often enough to see a process when all its threads have just collected their garbage. */
const memoryMs = 250;
/** The lowest value within this time counts: garbage and replaced threads last less long. */
const windowMs = 300_000;

type Name = keyof ProcessFigures;

/** The samples of one process from its start to its end. */
interface Life {
  readonly name: string;
  readonly pid: number;
  readonly begunMs: number;
  readonly samples: (ProcessFigures & { readonly atMs: number })[];
  /** Private memory, which is seen more often. */
  readonly memory: Point[];
}

/** The figures of a node's process at a moment of the monotonic clock: all of them, or its private memory. */
export interface Sample extends Partial<Omit<ProcessFigures, "private">>, Pick<ProcessFigures, "private"> {
  readonly name: string;
  readonly pid: number;
  readonly atMs: number;
}

/** How a figure of a process has gone. */
export interface Course {
  readonly first: number;
  readonly last: number;
  readonly most: number;
  readonly perHour: number | undefined;
}

/** Looks at the processes of a network from time to time. */
export class SoakWatch implements Disposable {
  readonly #network: NetworkProcesses;
  readonly #lives = new Map<number, Life>();
  readonly #calm: MeasurementWindows;
  readonly #timers: readonly NodeJS.Timeout[];
  readonly #onSample: (sample: Sample) => void;

  /** @param onSample receives each sample that is taken */
  constructor(
    network: NetworkProcesses,
    calm: MeasurementWindows,
    onSample: (sample: Sample) => void = () => undefined,
  ) {
    this.#network = network;
    this.#calm = calm;
    this.#onSample = onSample;
    this.#timers = [setInterval(() => void this.#look(), sampleMs), setInterval(() => this.#lookAtMemory(), memoryMs)];
  }

  /** The names of the nodes that have run in the same process since a moment. */
  steadyNodes(sinceMs: number): readonly string[] {
    return this.#network.names.filter((name) => {
      const life = this.#lifeOf(name);
      return life !== undefined && life.begunMs <= sinceMs;
    });
  }

  /** @param sinceMs end of the warm-up @returns `undefined` if nothing was seen */
  course(name: string, figure: Name, sinceMs: number): Course | undefined {
    const { samples = [], memory = [] } = this.#lifeOf(name) ?? {};
    const seen = figure === "private" ? memory : samples.map(({ atMs, [figure]: value }) => ({ atMs, value }));
    const points = seen.filter(({ atMs }) => atMs >= sinceMs);
    const [first, last] = [points[0], points.at(-1)];
    if (first === undefined || last === undefined) return undefined;
    const most = points.reduce((before, { value }) => Math.max(before, value), 0);
    return { first: first.value, last: last.value, most, perHour: slopePerHour(points, windowMs) };
  }

  processorSeconds(name: string): number {
    return processorSeconds(this.#network.node(name).process.pid ?? 0);
  }

  [Symbol.dispose](): void {
    for (const timer of this.#timers) clearInterval(timer);
  }

  #lifeOf(name: string): Life | undefined {
    const { pid } = this.#network.node(name).process;
    return pid === undefined ? undefined : this.#lives.get(pid);
  }

  /** Needs no answer of the node, which would make garbage. */
  #lookAtMemory(): void {
    for (const name of this.#network.names) {
      const life = this.#lifeOf(name);
      const held = life === undefined ? undefined : heldMemory(life.pid);
      if (life === undefined || held === undefined) continue;
      const atMs = performance.now();
      life.memory.push({ atMs, value: held.privateBytes });
      if (this.#calm.isCollecting) this.#onSample({ name, pid: life.pid, atMs, private: held.privateBytes });
    }
  }

  async #look(): Promise<void> {
    if (this.#calm.isCollecting) return;
    await Promise.all(
      this.#network.names.map(async (name) => {
        const { plan, process } = this.#network.node(name);
        const { pid } = process;
        if (pid === undefined || process.state.type !== "running") return;
        const figures = await processFigures(pid, plan.ports.http);
        if (figures === undefined) return;
        const life = this.#lives.get(pid) ?? { name, pid, begunMs: performance.now(), samples: [], memory: [] };
        this.#lives.set(pid, life);
        const atMs = performance.now();
        life.samples.push({ ...figures, atMs });
        this.#onSample({ name, pid, atMs, ...figures });
      }),
    );
  }
}
