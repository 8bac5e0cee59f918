import { startWorker } from "../data/startWorker.js";
import type { RunReply, RunRequest, RunTask } from "./runMessages.js";

/** Longer than the worker lets a program run; it may be in a step that looks at no clock. */
const longestMs = 60_000;

/** Runs programs and look-ups in a worker, the latest one only; the same one again has the same reply. */
export class ProgramRunner {
  #worker: Worker | undefined;
  #giveUp: ((reason: string) => void) | undefined;
  #latest: { readonly key: string; readonly reply: Promise<RunReply> } | undefined;

  run<Task extends RunTask>(request: RunRequest<Task>): Promise<RunReply<Task>> {
    const { task, checkpoint } = request;
    const key = JSON.stringify(["uri" in task ? { uri: task.uri } : task.source, checkpoint.blockHash]);
    if (this.#latest?.key !== key) this.#latest = { key, reply: this.#begin(request) };
    // The worker answers each task with its own kind of result.
    return this.#latest.reply as Promise<RunReply<Task>>;
  }

  #begin(request: RunRequest): Promise<RunReply> {
    this.#giveUp?.("another program was run");
    const worker = (this.#worker ??= startWorker("run"));
    return new Promise((resolve) => {
      const settle = (reply: RunReply) => {
        clearTimeout(timer);
        worker.onmessage = worker.onerror = null;
        this.#giveUp = undefined;
        resolve(reply);
      };
      const end = (problem: string) => {
        worker.terminate();
        this.#worker = undefined;
        settle({ problem, lies: [] });
      };
      const timer = setTimeout(() => end("it took too long here"), longestMs);
      this.#giveUp = end;
      worker.onmessage = ({ data }: MessageEvent<RunReply>) => settle(data);
      worker.onerror = () => end("the interpreter could not be loaded");
      worker.postMessage(request);
    });
  }
}
