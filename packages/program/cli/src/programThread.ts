import { parentPort, workerData } from "node:worker_threads";
import { type ProgramCommand, runProgramCommand } from "./programs.js";

/** A message from the thread of a command to the main thread. */
export type ProgramMessage = { readonly line: string } | { readonly note: string } | { readonly exitCode: number };

const send = (message: ProgramMessage) => parentPort!.postMessage(message);
const exitCode = runProgramCommand(
  workerData as ProgramCommand,
  (line) => send({ line }),
  (note) => send({ note }),
);
send({ exitCode });
