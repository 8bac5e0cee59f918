import type { NetworkProcesses } from "@vedette/e2e";
import { type ProcessFigures, processFigures, processorSeconds } from "./ProcessFigures.js";
import { type Point, slopePerHour } from "./slope.js";

/** Often enough to see a process when all its threads have just collected their garbage. */
const sampleMs = 2_000;
/** The least of so long a time counts: garbage and replaced threads come and go faster. */
const windowMs = 300_000;

type Name = keyof ProcessFigures;

/** What was seen of one process from its start to its end. */
interface Life {
  readonly name: string;
  readonly pid: number;
  readonly begunMs: number;
  readonly samples: (ProcessFigures & { readonly atMs: number })[];
}

/** What a node's process had at a moment of the monotonic clock. */
export interface Sample extends ProcessFigures {
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
  readonly #timer: NodeJS.Timeout;
  readonly #onSample: (sample: Sample) => void;

  /** @param onSample is told of each that is taken */
  constructor(network: NetworkProcesses, onSample: (sample: Sample) => void = () => undefined) {
    this.#network = network;
    this.#onSample = onSample;
    this.#timer = setInterval(() => void this.#look(), sampleMs);
  }

  /** The names of the nodes whose process has been the same all the time since a moment. */
  steadyNodes(sinceMs: number): readonly string[] {
    return this.#network.names.filter((name) => {
      const life = this.#lifeOf(name);
      return life !== undefined && life.begunMs <= sinceMs;
    });
  }

  /** @param sinceMs what came before is warming up @returns `undefined` where nothing was seen */
  course(name: string, figure: Name, sinceMs: number): Course | undefined {
    const samples = this.#lifeOf(name)?.samples.filter(({ atMs }) => atMs >= sinceMs) ?? [];
    const points: Point[] = samples.map((sample) => ({ atMs: sample.atMs, value: sample[figure] }));
    const [first, last] = [points[0], points.at(-1)];
    if (first === undefined || last === undefined) return undefined;
    const most = Math.max(...points.map(({ value }) => value));
    return { first: first.value, last: last.value, most, perHour: slopePerHour(points, windowMs) };
  }

  /** The most that any process had of something, those that have ended too. */
  mostOfAll(figure: Name): { readonly name: string; readonly value: number } {
    let most = { name: "nobody", value: 0 };
    for (const { name, samples } of this.#lives.values())
      for (const { [figure]: value } of samples) if (value > most.value) most = { name, value };
    return most;
  }

  processorSeconds(name: string): number {
    return processorSeconds(this.#network.node(name).process.pid ?? 0);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #lifeOf(name: string): Life | undefined {
    const { pid } = this.#network.node(name).process;
    return pid === undefined ? undefined : this.#lives.get(pid);
  }

  async #look(): Promise<void> {
    await Promise.all(
      this.#network.names.map(async (name) => {
        const { plan, process } = this.#network.node(name);
        const { pid } = process;
        if (pid === undefined || process.state.type !== "running") return;
        const figures = await processFigures(pid, plan.ports.http);
        if (figures === undefined) return;
        const life = this.#lives.get(pid) ?? { name, pid, begunMs: performance.now(), samples: [] };
        this.#lives.set(pid, life);
        const atMs = performance.now();
        life.samples.push({ ...figures, atMs });
        this.#onSample({ name, pid, atMs, ...figures });
      }),
    );
  }
}
