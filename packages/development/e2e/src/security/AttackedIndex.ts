import { until } from "@vedette/testing";
import type { AttackedProgram, HonestDeploy } from "./Attack.js";
import { AttackedDev } from "./AttackedDev.js";
import { post } from "./attacks/requests.js";

/** `vedette index --port`, as its clients see it, beside the chain that it follows. */
export class AttackedIndex implements AttackedProgram, AsyncDisposable {
  readonly #dev: AttackedDev;
  /** It has no `/status`. */
  readonly question = {
    path: `/graphql?query=${encodeURIComponent("{ blocks(limit: 1) { block_number } }")}`,
    answer: '"block_number"',
  };

  private constructor(dev: AttackedDev) {
    this.#dev = dev;
  }

  /** Starts both, and waits until the index has a block to answer with. */
  static async start(): Promise<AttackedIndex> {
    const target = new AttackedIndex(await AttackedDev.start());
    const { question, statusPort } = target;
    const ask = async () => (await fetch(`http://127.0.0.1:${statusPort}${question.path}`)).text();
    let answer = "";
    const isRight = async () => (answer = await ask().catch(String)).includes(question.answer);
    await until("the index to return a block", isRight, { everyMs: 100, state: () => answer });
    // So that the processes that answer are there before the first attack.
    const query = { query: "select count(*) from deployments where term like '%honest%'" };
    const asked = Array.from({ length: 2 }, () => post({ port: statusPort, path: "/v2/sql" }, query));
    await Promise.all([...asked, ask()]);
    return target;
  }

  get pid(): number {
    return this.#dev.indexPid;
  }

  get statusPort(): number {
    return this.#dev.indexPort;
  }

  get isRunning(): boolean {
    return this.#dev.isRunning;
  }

  sendDeploy(): Promise<HonestDeploy> {
    return this.#dev.sendDeploy();
  }

  /** By the index. */
  async heightOf({ id }: HonestDeploy): Promise<number | undefined> {
    const query = `{ deployments(where: {deploy_id: {_eq: "${id}"}}) { block_number } }`;
    const url = `http://127.0.0.1:${this.statusPort}/graphql?query=${encodeURIComponent(query)}`;
    const { data } = (await (await fetch(url)).json()) as {
      readonly data: { readonly deployments: readonly { readonly block_number: number | string }[] };
    };
    const found = data.deployments[0]?.block_number;
    return found === undefined ? undefined : Number(found);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#dev[Symbol.asyncDispose]();
  }
}
