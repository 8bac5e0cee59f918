import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface, type Interface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { LoadPlan, LoadResult } from "./LoadPlan.js";

const program = fileURLToPath(new URL("loadProcess.js", import.meta.url));

/** A process that makes load on a node. */
export class LoadGenerator implements AsyncDisposable {
  readonly #process: ChildProcess;
  readonly #results: Interface;

  /** @param isYielding whether it leaves the processor to others */
  constructor({ isYielding }: { readonly isYielding: boolean }) {
    const args = isYielding ? [program, "--yielding"] : [program];
    this.#process = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
    this.#results = createInterface({ input: this.#process.stdout! });
  }

  /** Runs a plan until its time is over. */
  async run(plan: LoadPlan & { readonly milliseconds: number }): Promise<LoadResult> {
    const result = this.#result();
    this.begin(plan);
    return await result;
  }

  begin(plan: LoadPlan): void {
    this.#process.stdin!.write(`${JSON.stringify(plan)}\n`);
  }

  pause(): void {
    this.#process.stdin!.write("pause\n");
  }

  goOn(): void {
    this.#process.stdin!.write("go on\n");
  }

  async end(): Promise<LoadResult> {
    const result = this.#result();
    this.#process.stdin!.write("end\n");
    return await result;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const exited = once(this.#process, "exit");
    this.#process.stdin!.end();
    await exited;
  }

  async #result(): Promise<LoadResult> {
    const [line] = await once(this.#results, "line");
    return JSON.parse(String(line)) as LoadResult;
  }
}
