import { StatusReader } from "../NodeStatus.js";

/** A node with sampled health. */
export interface SampledNode {
  readonly name: string;
  readonly httpPort: number;
}

/** How a node was during a load. */
export interface NodeHealth {
  readonly name: string;
  readonly height: number | undefined;
  readonly finalized: number | undefined;
  /** The farthest that it was behind the foremost node, in blocks. */
  readonly maxBehind: number;
  readonly memoryAfterWarmUp: number | undefined;
  readonly memoryNow: number | undefined;
  /** How often it did not answer. */
  readonly silences: number;
}

interface Track extends NodeHealth {
  readonly httpPort: number;
  readonly reader: StatusReader;
}

const answerMs = 5_000;

/** Looks at all nodes from time to time. */
export class NodeSamples {
  #tracks: Track[];

  constructor(nodes: readonly SampledNode[]) {
    this.#tracks = nodes.map(({ name, httpPort }) => ({
      name,
      httpPort,
      reader: new StatusReader(httpPort),
      height: undefined,
      finalized: undefined,
      maxBehind: 0,
      memoryAfterWarmUp: undefined,
      memoryNow: undefined,
      silences: 0,
    }));
  }

  get nodes(): readonly NodeHealth[] {
    return this.#tracks;
  }

  /** @param isWarm whether memory is to be compared from now on */
  async look(isWarm: boolean): Promise<void> {
    const seen = await Promise.all(
      this.#tracks.map(async ({ reader, httpPort }) => ({
        status: await reader.read(answerMs),
        memory: await memoryOf(httpPort),
      })),
    );
    const foremost = Math.max(0, ...seen.map(({ status }) => status?.height ?? 0));
    this.#tracks = this.#tracks.map((track, at) => {
      const { status, memory } = seen[at]!;
      if (status === undefined) return { ...track, silences: track.silences + 1 };
      return {
        ...track,
        height: status.height,
        finalized: status.finalized,
        maxBehind: Math.max(track.maxBehind, foremost - (status.height ?? 0)),
        memoryNow: memory,
        memoryAfterWarmUp: track.memoryAfterWarmUp ?? (isWarm ? memory : undefined),
      };
    });
  }
}

async function memoryOf(httpPort: number): Promise<number | undefined> {
  try {
    const response = await fetch(`http://127.0.0.1:${httpPort}/metrics`, { signal: AbortSignal.timeout(answerMs) });
    const bytes = /^vedette_private_memory_bytes (\S+)/m.exec(await response.text())?.[1];
    return bytes === undefined ? undefined : Number(bytes);
  } catch {
    return undefined;
  }
}
