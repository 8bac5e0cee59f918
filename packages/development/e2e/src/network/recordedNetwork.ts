import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePorts, NodeProcess } from "@vedette/cli/testing";
import { type Block, type Dialect, decodeBlock, findDialect, rnode } from "@vedette/protocol";
import { chainDirectory, processEvidence, recordedBlocks, replayChain, until } from "@vedette/testing";

/** How an observer begins. */
export type ObserverStartMode = "replayAll" | "importState";

/** A recorded chain that one of our own processes serves, and observers that follow it. */
export class RecordedNetwork implements AsyncDisposable {
  readonly folder = mkdtempSync(join(tmpdir(), "vedette-test-"));
  readonly #args: readonly string[];
  readonly #processes = new Set<NodeProcess>();
  #server: NodeProcess | undefined;
  readonly #chain: string;
  readonly networkId: string;
  readonly dialect: Dialect;

  constructor(chain: string) {
    this.#chain = chain;
    const network = JSON.parse(readFileSync(join(chainDirectory(chain), "network.json"), "utf8"));
    this.networkId = network.networkId;
    this.dialect = findDialect(network.dialect ?? rnode.name)!;
    this.#args = [
      `--fault-tolerance-threshold=${network.faultToleranceThreshold}`,
      `--max-number-of-parents=${network.maxNumberOfParents}`,
      ...(network.dialect === undefined ? [] : [`--dialect=${network.dialect}`]),
      ...(network.epochLength === undefined ? [] : [`--epoch-length=${network.epochLength}`]),
      "--min-phlo-price=0",
      "--discovery-lookup-interval=1s",
    ];
  }

  /** The recorded blocks, genesis first. */
  blocks(): Block[] {
    const { blockForm } = this.dialect;
    return recordedBlocks(this.#chain).map(({ bytes }) => decodeBlock(bytes, blockForm));
  }

  /** Replays the recording and starts to serve it. @param more options of `run` */
  async serve(more: readonly string[] = [], isWatched = false): Promise<NodeProcess> {
    return this.serveMade((dataDir) => replayChain(this.#chain, dataDir), more, isWatched);
  }

  /** Serves a chain of the recorded network that is made anew, in the data directory that is given. */
  async serveMade(
    make: (dataDir: string) => Promise<void>,
    more: readonly string[] = [],
    isWatched = false,
  ): Promise<NodeProcess> {
    const dataDir = join(this.folder, "server");
    await make(dataDir);
    this.#server = await this.#start(dataDir, ["--standalone", ...more], isWatched);
    await this.#server.line(/Listening for traffic/);
    return this.#server;
  }

  /** Starts an observer, with a data directory of its own or one that it had before. */
  async observer(
    beginning: ObserverStartMode,
    name: string,
    more: readonly string[] = [],
    isWatched = false,
  ): Promise<NodeProcess> {
    const bootstrap = await this.#server!.address();
    const begin = beginning === "replayAll" ? ["--disable-lfs"] : [];
    return this.#start(join(this.folder, name), [`--bootstrap=${bootstrap}`, ...begin, ...more], isWatched);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const process of this.#processes) await process[Symbol.asyncDispose]();
    await processEvidence.dismiss([], async () => {
      await Promise.all([...this.#processes].map((process) => process.stop()));
      rmSync(this.folder, { recursive: true, force: true });
    });
  }

  async #start(dataDir: string, args: readonly string[], isWatched = false): Promise<NodeProcess> {
    const ports = await freePorts();
    const facts = { dataDir, ports, networkId: this.networkId, isWatched };
    const node = new NodeProcess({ ...facts, args: [...this.#args, ...args] });
    this.#processes.add(node);
    return node;
  }
}

/** Waits until an observer has every block of the server. @throws Error with the observer's log when it ends before */
export async function untilSynced(observer: NodeProcess, server: NodeProcess): Promise<void> {
  await observer.line(/HTTP API server started/);
  const wanted = await server.get("/blocks/50");
  const log = () => observer.lines.slice(-60).join("\n");
  const hasAll = async () => {
    if ((await observer.get("/blocks/50").catch(() => "")) === wanted) return true;
    if (!observer.isRunning) throw new Error(`the observer has ended before it reached the tip:\n${log()}`);
    return false;
  };
  await until("the observer to reach the tip", hasAll, { everyMs: 100, state: log });
}
