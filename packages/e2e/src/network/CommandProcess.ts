import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { program } from "@vedette/cli/testing";

/** A command that runs until it is ended, started again whenever it was killed. */
export class CommandProcess {
  readonly #args: readonly string[];
  readonly #environment: Readonly<Record<string, string>>;
  #child: ChildProcess | undefined;
  /** All that it has said, in all of its runs. */
  said = "";

  /** @param environment beside this process's own */
  constructor(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
    [this.#args, this.#environment] = [args, environment];
    this.start();
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
}
