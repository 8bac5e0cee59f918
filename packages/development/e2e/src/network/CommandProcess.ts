import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { basename } from "node:path";
import { program } from "@vedette/cli/testing";
import { nodeWitness, processEvidence, type Witness } from "@vedette/testing";

/** A command that runs until it is ended, started again whenever it was killed. */
export class CommandProcess implements AsyncDisposable {
  readonly #args: readonly string[];
  readonly #environment: Readonly<Record<string, string>>;
  readonly #witness: Witness;
  #child: ChildProcess | undefined;
  /** Its output, in all of its runs. */
  said = "";

  /** @param environment beside this process's own */
  constructor(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
    [this.#args, this.#environment] = [args, environment];
    this.start();
    this.#witness = this.#asWitness();
    processEvidence.add(this.#witness);
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  start(): void {
    this.#child = spawn(process.execPath, [program, ...this.#args], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, ...this.#environment },
    });
    for (const stream of [this.#child.stdout!, this.#child.stderr!])
      stream.setEncoding("utf8").on("data", (text: string) => {
        this.said += text;
      });
  }

  get hasEnded(): boolean {
    return this.#child!.exitCode !== null || this.#child!.signalCode !== null;
  }

  /** @returns its exit code, or the signal that ended it */
  async end(signal: NodeJS.Signals): Promise<number | string | null> {
    const ended = this.ended();
    this.#child!.kill(signal);
    return ended;
  }

  /** Waits until it ends by itself. @returns as {@link end} */
  async ended(): Promise<number | string | null> {
    const child = this.#child!;
    if (!this.hasEnded) await once(child, "close");
    return child.exitCode ?? child.signalCode;
  }

  /** Ends it without warning: once the test is over, so that the output of a failed test is kept. */
  async [Symbol.asyncDispose](): Promise<void> {
    await processEvidence.dismiss([this.#witness], async () => void (await this.end("SIGKILL")));
  }

  /** Named by the command and its data directory; an HTTP API is queried, too. */
  #asWitness(): Witness {
    const option = (name: string) => {
      return this.#args.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3);
    };
    const directory = option("name") ?? basename(option("data-dir") ?? "");
    const name = [this.#args[0], directory].filter(Boolean).join("-");
    const port = option("api-port-http");
    const log = () => this.said;
    const witness =
      port === undefined ? { name, files: { "log.txt": log } } : nodeWitness(name, log, `http://127.0.0.1:${port}`);
    return { ...witness, hasEnded: () => this.hasEnded };
  }
}
