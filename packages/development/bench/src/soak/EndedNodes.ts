import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type ProcessEnd, printEnd, type RunningMember } from "@vedette/devtools/devnet";

/** The nodes that are looked at. */
export interface WatchedNetwork {
  readonly names: readonly string[];
  node(name: string): {
    readonly plan: Pick<RunningMember["plan"], "directory">;
    readonly process: Pick<RunningMember["process"], "state">;
  };
}

const lookMs = 500;
const reportedLines = 15;
/** After SIGINT. */
const orderlyCode = 130;

/** Notices nodes that end by themselves, and keeps their logs, which go with the network otherwise. */
export class EndedNodes implements Disposable {
  /** A text for each end: how it came, where the log is, and its last lines. */
  readonly ends: string[] = [];
  readonly #network: WatchedNetwork;
  readonly #folder: string;
  readonly #known = new Set<ProcessEnd>();
  readonly #timer: NodeJS.Timeout;

  /** @param folder for logs; made when there is one */
  constructor(network: WatchedNetwork, folder: string) {
    this.#network = network;
    this.#folder = folder;
    this.#timer = setInterval(() => this.look(), lookMs);
  }

  /** Looks now, too: the end of a process that is started again is not seen later. */
  look(): void {
    for (const name of this.#network.names) {
      const { plan, process } = this.#network.node(name);
      const { state } = process;
      if (state.type !== "ended" || this.#known.has(state.end)) continue;
      this.#known.add(state.end);
      if (!wasRequested(state.end)) this.ends.push(this.#keep(name, plan.directory, state.end));
    }
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #keep(name: string, directory: string, end: ProcessEnd): string {
    const log = join(directory, "node.log");
    const kept = join(this.#folder, `${name}-${this.#known.size}.log`);
    mkdirSync(this.#folder, { recursive: true });
    copyFileSync(log, kept);
    const last = readFileSync(log, "utf8").trimEnd().split("\n").slice(-reportedLines);
    return [`${name} ended by itself (${printEnd(end)}); its log: ${kept}`, ...last.map((line) => `  ${line}`)].join(
      "\n",
    );
  }
}

/** Whether a process was killed, or ended on request. */
function wasRequested({ code, signal }: ProcessEnd): boolean {
  return signal === "SIGKILL" || signal === "SIGINT" || code === orderlyCode;
}
