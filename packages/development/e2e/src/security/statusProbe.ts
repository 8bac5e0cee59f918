// Run in a thread of its own: an honest client that sends one request steadily, on one connection.
import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import type { HonestQuestion } from "./Attack.js";

/** The initial data of the thread. */
export interface ProbePlace {
  readonly port: number;
  /** The client's own address. */
  readonly address: string;
  /** The process that answers. */
  readonly pid: number;
  readonly question: HonestQuestion;
}

/** An answer to the honest client. */
export interface ProbedAnswer {
  readonly ms: number;
  /** Without the time in which client or answering thread waited for a core that other programs had. */
  readonly ownMs: number;
  /** Why it is no right answer; `undefined` where it is one. */
  readonly failure: string | undefined;
}

const pauseMs = 25;
const { port, address, pid, question } = workerData as ProbePlace;
const agent = new Agent({ keepAlive: true, maxSockets: 1, localAddress: address });

/** @returns why the answer is not right */
function ask(): Promise<string | undefined> {
  return new Promise((resolve) => {
    const asked = request({ host: "127.0.0.1", port, path: question.path, agent }, (answer) => {
      let text = "";
      answer.setEncoding("utf8");
      answer.on("data", (piece: string) => (text += piece));
      answer.once("error", ({ message }: Error) => resolve(message));
      answer.once("end", () => resolve(failureOf(answer.statusCode, text)));
    });
    asked.once("error", ({ message }) => resolve(message));
    asked.end();
  });
}

function failureOf(status: number | undefined, text: string): string | undefined {
  if (status === 200 && text.startsWith("{") && text.includes(question.answer)) return undefined;
  return `${status} ${text.slice(0, 100)}`;
}

/** Milliseconds that this thread and the process's main thread have waited for a core; 0 where the system does not count it. */
function waitedMs(): number {
  return ["thread-self", String(pid)].reduce((sum, one) => sum + waitedOf(`/proc/${one}/schedstat`), 0);
}

function waitedOf(path: string): number {
  try {
    return Number(readFileSync(path, "latin1").split(" ")[1]) / 1e6;
  } catch {
    return 0;
  }
}

for (;;) {
  const [beganMs, waitedBefore] = [performance.now(), waitedMs()];
  const failure = await ask();
  const ms = performance.now() - beganMs;
  const answer: ProbedAnswer = { ms, ownMs: Math.max(0, ms - (waitedMs() - waitedBefore)), failure };
  parentPort!.postMessage(answer);
  await sleep(pauseMs);
}
