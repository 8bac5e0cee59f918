import type { PortPlan, TestWallet } from "@vedette/devtools/devnet";
import { NetworkProcesses } from "../network/NetworkProcesses.js";
import { deployIsFinal } from "../network/networkDeploys.js";
import type { AttackedProgram, HonestDeploy } from "./Attack.js";
import { indexGoesOn } from "./attacks/indexGoesOn.js";
import { post } from "./attacks/requests.js";
import { blockWith, handIn, newestOf } from "./honestDeploys.js";

const name = "validator1";
const largeDeploys = 5;
/** Characters of a program that are six times as long in JSON. */
const largeText = "\u0001".repeat(1_000_000);
const middleText = largeText.slice(0, 690_000);

/** A lone validator with an index, beside an observer; programs of its machine are counted as strangers are. */
export class AttackedNode implements AttackedProgram, AsyncDisposable {
  readonly network: NetworkProcesses;
  readonly pid: number;
  readonly ports: PortPlan;
  /** Folder of its data, with its keys. */
  readonly folder: string;
  /** A block with several deploys of a megabyte. */
  readonly largeBlock: string;
  /** A block whose JSON is almost as long as one is printed at once. */
  readonly middleBlock: string;

  private constructor(network: NetworkProcesses, largeBlock: string, middleBlock: string) {
    const { process, plan } = network.node(name);
    this.network = network;
    [this.pid, this.ports, this.folder] = [process.pid!, plan.ports, plan.directory];
    [this.largeBlock, this.middleBlock] = [largeBlock, middleBlock];
  }

  /** Starts the network, and puts large deploys into a block. */
  static async start(): Promise<AttackedNode> {
    const more = { "index.enabled": true, "api-server.limits.apply-to-localhost": true };
    const network = await NetworkProcesses.start({ validators: 1, wallets: 3, rhythmMs: 2_000 }, more);
    await network.finalizes(network.names, 1);
    const [, rich] = network.wallets as [TestWallet, TestWallet];
    const { ports } = network.node(name).plan;
    const terms = Array.from({ length: largeDeploys }, (_, at) => `/* ${at} ${largeText} */ new r in { r!(${at}) }`);
    const ids = await Promise.all(terms.map((term) => handIn(ports.grpcExternal, rich.privateKey, term)));
    for (const id of ids) await deployIsFinal(network, name, id);
    const { blockHash: large } = await blockWith(ports.http, ids.at(-1)!);
    const id = await handIn(ports.grpcExternal, rich.privateKey, `/* ${middleText} */ Nil`);
    await deployIsFinal(network, name, id);
    const { blockHash: middle } = await blockWith(ports.http, id);
    const target = new AttackedNode(network, large, middle);
    await target.#use();
    return target;
  }

  get statusPort(): number {
    return this.ports.http;
  }

  get isRunning(): boolean {
    return this.network.node(name).process.state.type === "running";
  }

  /** Its `rnode://` address. */
  async address(): Promise<string> {
    return ((await this.network.get(name, "/status")) as { address: string }).address;
  }

  /** The JSON answer of its public HTTP API. */
  get(path: string): Promise<unknown> {
    return this.network.get(name, path);
  }

  /** The height of its chain. */
  async height(): Promise<number> {
    return (await newestOf(this.ports.http)).blockNumber;
  }

  /** The hash of its newest block. */
  async newestBlock(): Promise<string> {
    return (await newestOf(this.ports.http)).blockHash;
  }

  async sendDeploy(): Promise<HonestDeploy> {
    const { privateKey } = this.network.wallets[2]!;
    const id = await handIn(this.ports.grpcExternal, privateKey, "new honest in { honest!(1) }");
    return { id, height: await this.height() };
  }

  async heightOf({ id }: HonestDeploy): Promise<number> {
    return (await blockWith(this.ports.http, id)).blockNumber;
  }

  /** Sends a few requests of each kind, so that the processes that answer are there before the first attack. */
  async #use(): Promise<void> {
    const { http, adminHttp } = this.ports;
    await fetch(`http://127.0.0.1:${http}/api/block/${this.largeBlock}`).then((answer) => answer.arrayBuffer());
    const query = { query: "select count(*) from deployments where term like '%honest%'" };
    await Promise.all(Array.from({ length: 2 }, () => post({ port: adminHttp, path: "/v2/sql" }, query)));
    await indexGoesOn(this);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.network[Symbol.asyncDispose]();
  }
}
