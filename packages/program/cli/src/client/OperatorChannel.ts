import { type CallOptions, type Client, ConnectError, createClient } from "@connectrpc/connect";
import { createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";
import { type ContinuationsWithBlockInfo, DeployService, parMessage, Repl } from "@vedette/api/grpc";
import type { Par } from "@vedette/terms";
import { CommandError } from "./CommandError.js";
import { type NodeCommand, textOption } from "./NodeCommand.js";

const msPerSecond = 1_000;
// Each level of a term takes three levels of its message.
const deepestMessage = 1_000;

/** Calls that only the operator's commands make. @spec 50 §3.4, §5.6 */
export class OperatorChannel implements Disposable {
  readonly #address: string;
  readonly #sessions: Http2SessionManager;
  readonly #repl: Client<typeof Repl>;
  readonly #deploys: Client<typeof DeployService>;
  readonly #options: CallOptions;

  constructor({ options, signal }: Pick<NodeCommand, "options" | "signal">) {
    const host = textOption(options, "grpcHost") ?? textOption(options, "host") ?? "localhost";
    const authority = host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
    this.#address = `${authority}:${Number(options["grpcPort"] ?? options["port"])}`;
    const baseUrl = `http://${this.#address}`;
    this.#sessions = new Http2SessionManager(baseUrl);
    const transport = createGrpcTransport({
      baseUrl,
      sessionManager: this.#sessions,
      readMaxBytes: Number(options["grpcMaxRecvMessageSize"]),
      binaryOptions: { recursionLimit: deepestMessage },
    });
    this.#repl = createClient(Repl, transport);
    this.#deploys = createClient(DeployService, transport);
    this.#options = { timeoutMs: Number(options["timeout"]) * msPerSecond, signal };
  }

  /** Runs one line on the node's evaluation space. @throws {CommandError} `callFailed` */
  async run(line: string): Promise<string> {
    return (await this.#withCommandErrors(this.#repl.run({ line }, this.#options))).output;
  }

  /** Runs a program there. @throws {CommandError} `callFailed` */
  async evaluate(program: string, printUnmatchedSendsOnly: boolean): Promise<string> {
    return (await this.#withCommandErrors(this.#repl.eval({ program, printUnmatchedSendsOnly }, this.#options))).output;
  }

  /** The receives that wait on names, block by block. @throws {CommandError} `callFailed` */
  async continuations(names: readonly Par[], depth: number): Promise<readonly ContinuationsWithBlockInfo[]> {
    const query = { names: names.map(parMessage), depth };
    const { message } = await this.#withCommandErrors(this.#deploys.listenForContinuationAtName(query, this.#options));
    if (message.case === "payload") return message.value.blockResults;
    throw new CommandError({
      code: "unexpectedAnswer",
      what: message.value?.messages.join("\n") || "The node gave no reason.",
    });
  }

  [Symbol.dispose](): void {
    this.#sessions.abort();
  }

  async #withCommandErrors<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      const { rawMessage, cause } = ConnectError.from(error);
      const reason = cause instanceof Error && cause.message !== "" ? cause.message : rawMessage;
      throw new CommandError({ code: "callFailed", address: this.#address, reason }, { cause: error });
    }
  }
}
