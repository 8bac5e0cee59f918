import { rmSync } from "node:fs";
import { errorText } from "@vedette/errors";
import { freePort, patienceMs } from "@vedette/testing";
import { CommandProcess } from "../CommandProcess.js";

/** A snapshot, and the hash of its block. */
export interface SnapshotPlace {
  readonly place: string;
  readonly block: string;
}

/** How a replica is started. */
export interface ReplicaStart {
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly snapshot: SnapshotPlace;
}

const linesReported = 20;
const answerMs = patienceMs();

/** A replica that may be killed, started again, and lose its disk. */
export class ReplicaProcess implements AsyncDisposable {
  readonly name: string;
  readonly ports: { readonly http: number; readonly grpc: number };
  readonly #directory: string;
  readonly #more: readonly number[];
  #start: ReplicaStart;
  #process: CommandProcess;
  #saidBefore = "";

  private constructor(name: string, directory: string, start: ReplicaStart, ports: readonly number[]) {
    [this.name, this.#directory, this.#start] = [name, directory, start];
    this.ports = { http: ports[0]!, grpc: ports[1]! };
    this.#more = ports.slice(2);
    this.#process = this.#begin();
  }

  static async start(name: string, directory: string, start: ReplicaStart): Promise<ReplicaProcess> {
    const ports = await Promise.all(["http", "grpc", "admin", "internal"].map(() => freePort()));
    return new ReplicaProcess(name, directory, start, ports);
  }

  get url(): string {
    return `http://127.0.0.1:${this.ports.http}`;
  }

  /** Its whole output. */
  get said(): string {
    return this.#saidBefore + this.#process.said;
  }

  get hasEnded(): boolean {
    return this.#process.hasEnded;
  }

  /** Starts it again where it was, or, without its disk, from a snapshot. */
  restart(snapshot?: SnapshotPlace): void {
    if (snapshot === undefined) {
      this.#process.start();
      return;
    }
    rmSync(this.#directory, { recursive: true, force: true });
    this.#start = { ...this.#start, snapshot };
    this.#saidBefore = this.said;
    this.#process = this.#begin();
  }

  end(signal: NodeJS.Signals): Promise<number | string | null> {
    return this.#process.end(signal);
  }

  /** Ends it without warning, as a {@link CommandProcess}. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.#process[Symbol.asyncDispose]();
  }

  /** Whether it would take part in the one name. @param maxLag seconds that it may be behind */
  async isReady(maxLag?: number): Promise<boolean> {
    const query = maxLag === undefined ? "" : `?maxLag=${maxLag}`;
    const asked = fetch(`${this.url}/health/ready${query}`, { signal: AbortSignal.timeout(answerMs) });
    return await asked.then(
      (answer) => answer.ok,
      () => false,
    );
  }

  /** Describes its activity, for people: its phase, and its last output. */
  async describe(): Promise<string> {
    const asked = fetch(`${this.url}/health/ready`, { signal: AbortSignal.timeout(answerMs) });
    const status = await asked.then((answer) => answer.text()).catch((error: unknown) => errorText(error));
    const lines = this.said.trimEnd().split("\n").slice(-linesReported);
    return [`--- ${this.name}${this.hasEnded ? " (ended)" : ""}: ${status}`, ...lines].join("\n");
  }

  #begin(): CommandProcess {
    const { args, environment, snapshot } = this.#start;
    const [admin, internal] = this.#more;
    return new CommandProcess(
      [
        ...["replica", `--data-dir=${this.#directory}`, ...args],
        ...[`--snapshot=${snapshot.place}`, `--block=${snapshot.block}`],
        ...[`--api-port-http=${this.ports.http}`, `--api-port-grpc-external=${this.ports.grpc}`],
        ...[`--api-port-admin-http=${admin}`, `--api-port-grpc-internal=${internal}`],
      ],
      environment,
    );
  }
}
