import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
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
  type RunningMember,
  readLocal,
  type TestWallet,
  writeNodeConfig,
} from "@vedette/devtools/devnet";
import { errorText } from "@vedette/errors";
import { freePortRange, nodeWitness, patienceMs, processEvidence, until, type Witness } from "@vedette/testing";

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
export const dialectNames: readonly NetworkSettings["dialect"][] = ["rnode", "f1r3node"];

const pollMs = 250;
/** Measured once: every status request uses it. */
const answerMs = patienceMs();
/** Lines of each node's log that an error shows. */
const shownLines = 30;
/** As many heights as a node lists in one answer. */
const heightsAtOnce = 50;

/** A local network of real processes in a folder of its own, as `vedette network` runs it, with its ports chosen freely. */
export class NetworkProcesses implements AsyncDisposable {
  readonly #network: OpenNetwork;
  readonly #run: NetworkRun;
  readonly #witnesses: Witness[] = [];

  private constructor(network: OpenNetwork, variables: VariablesOf) {
    this.#network = network;
    const programOf = (plan: NodePlan) => {
      const node = nodeProgram(program, plan);
      return { ...node, environment: { ...node.environment, ...variables(plan.name) } };
    };
    this.#run = new NetworkRun(network.plan.nodes, { isRestarted: false, onLine: () => undefined, programOf });
    for (const { plan } of this.#run.nodes) this.#witness(plan);
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
    const ports = await freePortPlans(maxIndex(given.validators ?? 3) + 1);
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
    const port = this.node(name).plan.ports.grpcInternal;
    return new NodeClient({ host: "127.0.0.1", port, retries: 0, timeoutMs: answerMs });
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
    this.#witness(joiner);
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
    return (await this.node(name).process.stop(patienceMs())).code;
  }

  restart(name: string): void {
    this.node(name).process.start();
  }

  /** The newest lines of a node's log; none before its first start. */
  log(name: string, lines = 60): string {
    const path = join(this.node(name).plan.directory, "node.log");
    return !existsSync(path) ? "" : readFileSync(path, "utf8").split("\n").slice(-lines).join("\n");
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

  /** Waits until the finalized heights of nodes have reached a number, however long that takes while they grow. */
  async finalizes(names: readonly string[], number: number): Promise<void> {
    for (let lowest = -1; lowest < number; ) {
      const next = lowest + 1;
      await this.until(`${names.join(", ")} finalize block ${next} of ${number}`, async () => {
        const all = await Promise.all(names.map((name) => this.heights(name)));
        lowest = Math.min(...all.map((heights) => heights?.finalized ?? -1));
        return lowest >= next;
      });
    }
  }

  /**
   * Waits until something is true of the network; what a look throws is taken for not yet.
   *
   * @param what as the end of the sentence "waited for …"
   * @throws Error with the ends of all logs when it does not become true, or a node has ended by itself
   */
  async until(what: string, isTrue: () => Promise<boolean>): Promise<void> {
    let last = "";
    const look = async () => {
      const isThere = await isTrue().catch((error: unknown) => {
        last = `the last look failed: ${errorText(error)}\n`;
        return false;
      });
      const ended = this.#unexpectedEnd();
      if (!isThere && ended !== undefined) throw new Error(`${ended}; waited for ${what}\n${this.#ends()}`);
      return isThere;
    };
    await until(what, look, { everyMs: pollMs, state: () => `${last}${this.#ends()}` });
  }

  node(name: string): RunningMember {
    const node = this.#run.nodes.find(({ plan }) => plan.name === name);
    if (node === undefined) throw new Error(`there is no node ${name}, but ${this.names.join(", ")}`);
    return node;
  }

  /** Ends all nodes and deletes their files: once the test is over, so that the logs of a failed test are kept. */
  async [Symbol.asyncDispose](): Promise<void> {
    await processEvidence.dismiss(this.#witnesses, async () => {
      await Promise.all(this.#run.nodes.map(({ process }) => process.kill()));
      await this.#network[Symbol.asyncDispose]();
      rmSync(this.#network.plan.directory, { recursive: true, force: true });
    });
  }

  #witness({ name, directory, ports }: NodePlan): void {
    const paths = ["node.log.1", "node.log"].map((file) => join(directory, file));
    const log = () => paths.map((path) => (existsSync(path) ? readFileSync(path, "utf8") : "")).join("");
    const witness = nodeWitness(name, log, `http://127.0.0.1:${ports.http}`);
    this.#witnesses.push(witness);
    processEvidence.add(witness);
  }

  #ends(): string {
    return this.names.map((name) => `--- ${name}\n${this.log(name, shownLines)}`).join("\n");
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

/** The highest index that the plan of a network gives a node: the observer's. */
function maxIndex(validators: number): number {
  return Math.max(5, validators + 1);
}

/** Reserves ports for this many nodes. */
async function freePortPlans(count: number): Promise<PortPlan[]> {
  const perNode = Object.keys(portsFrom(0)).length;
  return Promise.all(Array.from({ length: count }, async () => portsFrom(await freePortRange(perNode))));
}

/** The blocks of an answer of `/api/blocks`, in either dialect's form. @spec 50 §1.9, §10.3 */
export function listedBlocks(answer: unknown): ListedBlock[] {
  return (answer as (ListedBlock | { readonly blockInfo: ListedBlock })[]).map((one) =>
    "blockInfo" in one ? one.blockInfo : one,
  );
}
