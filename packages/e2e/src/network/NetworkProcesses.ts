import { randomInt } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { program } from "@vedette/cli/testing";
import { NodeClient } from "@vedette/client/node";
import {
  type configText,
  createNodeFiles,
  NetworkRun,
  type NetworkSettings,
  type NodePlan,
  type NodeRole,
  nodeProgram,
  type OpenNetwork,
  openNetwork,
  type PortPlan,
  planJoiner,
  portsFrom,
  type RunningNode,
  readLocal,
  type TestWallet,
  writeNodeConfig,
} from "@vedette/devnet";

/** A block as a node's HTTP API lists it. */
export interface ListedBlock {
  readonly blockHash: string;
  readonly blockNumber: number;
  readonly sender: string;
  readonly seqNum: number;
  readonly postStateHash: string;
  readonly parentsHashList: readonly string[];
  readonly deployCount: number;
  readonly bonds: readonly { readonly validator: string; readonly stake: number }[];
}

/** Variables of the environment of a node, by its name. */
type VariablesOf = (name: string) => Readonly<Record<string, string>>;

/** Networks of either node are tried alike. */
export const dialectNames: readonly NetworkSettings["dialect"][] = ["rnode-scala", "rnode-rust"];

/** What a test wants to be true of a running network. */
export interface Wish {
  readonly what: string;
  readonly within: number;
  /** The node that it is about, whose log is told last. */
  readonly of?: string;
}

const answerMs = 5_000;
const pollMs = 200;
const graceMs = 20_000;
/** As many heights as a node lists in one answer. */
const heightsAtOnce = 50;

/** A local network of real processes in a folder of its own, as `vedette network` runs it, with its ports chosen freely. */
export class NetworkProcesses implements AsyncDisposable {
  readonly #network: OpenNetwork;
  readonly #run: NetworkRun;

  private constructor(network: OpenNetwork, variables: VariablesOf) {
    this.#network = network;
    const programOf = (plan: NodePlan) => {
      const node = nodeProgram(program, plan);
      return { ...node, environment: { ...node.environment, ...variables(plan.name) } };
    };
    this.#run = new NetworkRun(network.plan.nodes, { isRestarted: false, onLine: () => undefined, programOf });
  }

  /**
   * Makes the network's files and starts all of its nodes.
   *
   * @param ofValidators more of their configuration
   * @param variables more of the environment of a node
   */
  static async start(
    given: Partial<NetworkSettings> = {},
    ofValidators: Parameters<typeof configText>[3] = {},
    variables: VariablesOf = () => ({}),
  ): Promise<NetworkProcesses> {
    const directory = mkdtempSync(join(tmpdir(), "vedette-network-"));
    const ports = await freePortPlans((given.validators ?? 3) + 10);
    const placement = { choosePorts: (index: number) => ports[index]! };
    const network = await openNetwork({ directory, given, isFresh: false, placement });
    const processes = new NetworkProcesses(network, variables);
    for (const name of processes.validators) processes.configure(name, ofValidators);
    await processes.#run.start(new AbortController().signal);
    return processes;
  }

  get wallets(): readonly TestWallet[] {
    return this.#network.wallets;
  }

  get dialect(): NetworkSettings["dialect"] {
    return this.#network.plan.settings.dialect;
  }

  get networkId(): string {
    return this.#network.identity.networkId;
  }

  get names(): readonly string[] {
    return this.#run.nodes.map(({ plan }) => plan.name);
  }

  /** The names of the nodes with a validator key. */
  get validators(): readonly string[] {
    return this.#run.nodes.filter(({ plan }) => plan.role === "validator").map(({ plan }) => plan.name);
  }

  /** The public key of a genesis validator. */
  validatorKey(name: string): string {
    return this.#network.identity.validatorKeys[name]!;
  }

  /** A connection to the gRPC port of a node; validators take deploys, the observer explores. */
  client(name: string): NodeClient {
    return new NodeClient({ host: "127.0.0.1", port: this.node(name).plan.ports.grpcInternal, retries: 0 });
  }

  /** Adds a node that was not there at genesis and starts it. @param privateKey of a joining validator */
  async join(
    name: string,
    role: NodeRole,
    {
      privateKey,
      more,
      prepare,
    }: {
      privateKey?: string;
      more?: Parameters<typeof configText>[3];
      /** Does something with the node's directory, which has its keys and configuration, before it starts. */
      prepare?: (node: NodePlan) => Promise<void>;
    } = {},
  ): Promise<void> {
    const [ports] = await freePortPlans(1);
    const { plan, identity } = this.#network;
    const joiner = planJoiner(plan, name, role, ports!);
    createNodeFiles(joiner.directory, joiner, Date.now(), privateKey);
    writeNodeConfig(plan, joiner, identity, more);
    await prepare?.(joiner);
    this.#run.add(joiner).process.start();
  }

  /** Changes the configuration of a node from its next start on. */
  configure(name: string, more: Parameters<typeof configText>[3]): void {
    writeNodeConfig(this.#network.plan, this.node(name).plan, this.#network.identity, more);
  }

  /** Ends a node without warning. */
  async kill(name: string): Promise<void> {
    await this.node(name).process.kill();
  }

  /** Ends a node as an operator does. @returns its exit code */
  async stop(name: string): Promise<number | null> {
    return (await this.node(name).process.stop(graceMs)).code;
  }

  restart(name: string): void {
    this.node(name).process.start();
  }

  /** The newest lines of a node's log. */
  log(name: string, lines = 60): string {
    const path = join(this.node(name).plan.directory, "node.log");
    return readFileSync(path, "utf8").split("\n").slice(-lines).join("\n");
  }

  /** The JSON answer of a node's HTTP API. */
  get(name: string, path: string): Promise<unknown> {
    return readLocal(this.node(name).plan.ports.http, path, answerMs);
  }

  /** Height and last finalized height of a node; `undefined` while it does not answer or has not joined. */
  async heights(name: string): Promise<{ readonly height: number; readonly finalized: number } | undefined> {
    const status = await this.node(name).status.read(answerMs);
    if (status?.height === undefined || status.finalized === undefined) return undefined;
    return { height: status.height, finalized: status.finalized };
  }

  /** All blocks of a node that it has from one height to another. */
  async blocks(name: string, from: number, to: number): Promise<ListedBlock[]> {
    const blocks: ListedBlock[] = [];
    for (let start = from; start <= to; start += heightsAtOnce) {
      const end = Math.min(to, start + heightsAtOnce - 1);
      blocks.push(...listedBlocks(await this.get(name, `/api/blocks/${start}/${end}`)));
    }
    return blocks;
  }

  /** Waits until a node's finalized height has reached a number. */
  async finalizes(names: readonly string[], number: number, within: number): Promise<void> {
    await this.until({ what: `${names.join(", ")} finalize block ${number}`, within }, async () => {
      const all = await Promise.all(names.map((name) => this.heights(name)));
      return all.every((heights) => heights !== undefined && heights.finalized >= number);
    });
  }

  /** Waits until something is true. @throws Error with the logs of all nodes when it does not become true in time */
  async until({ what, within, of }: Wish, isTrue: () => Promise<boolean>): Promise<void> {
    const giveUpMs = performance.now() + within;
    for (;;) {
      if (await isTrue().catch(() => false)) return;
      const ended = this.#unexpectedEnd();
      if (ended === undefined && performance.now() < giveUpMs) {
        await sleep(pollMs);
        continue;
      }
      const names = [...this.names.filter((name) => name !== of), ...(of === undefined ? [] : [of])];
      const logs = names.map((name) => `--- ${name}\n${this.log(name)}`).join("\n");
      throw new Error(`${ended ?? `not within ${within} ms`}: ${what}\n${logs}`);
    }
  }

  node(name: string): RunningNode {
    const node = this.#run.nodes.find(({ plan }) => plan.name === name);
    if (node === undefined) throw new Error(`there is no node ${name}, but ${this.names.join(", ")}`);
    return node;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#run.stop(graceMs);
    await this.#network[Symbol.asyncDispose]();
    rmSync(this.#network.plan.directory, { recursive: true, force: true });
  }

  /** A node that has ended by itself, which no test wants. */
  #unexpectedEnd(): string | undefined {
    for (const { plan, process } of this.#run.nodes) {
      const { state } = process;
      if (state.type === "ended" && state.end.signal === null && state.end.code !== 130)
        return `${plan.name} has ended with exit code ${state.end.code}`;
    }
    return undefined;
  }
}

/** Below the ports that systems give to outgoing connections: there a free port does not stay so. */
const portRange = { from: 10_000, to: 32_000 };
const portsPerNode = 10;

/** Ports that nobody uses at the moment, all different. */
async function freePortPlans(count: number): Promise<PortPlan[]> {
  const plans: PortPlan[] = [];
  const taken = new Set<number>();
  while (plans.length < count) {
    const first = randomInt(portRange.from / portsPerNode, portRange.to / portsPerNode) * portsPerNode;
    if (taken.has(first)) continue;
    taken.add(first);
    const ports = portsFrom(first);
    if ((await Promise.all(Object.values(ports).map(isFree))).every(Boolean)) plans.push(ports);
  }
  return plans;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "0.0.0.0", () => server.close(() => resolve(true)));
  });
}

/** The blocks of an answer of `/api/blocks`, in either dialect's form. @spec 50 §1.9, §10.3 */
export function listedBlocks(told: unknown): ListedBlock[] {
  return (told as (ListedBlock | { readonly blockInfo: ListedBlock })[]).map((one) =>
    "blockInfo" in one ? one.blockInfo : one,
  );
}
