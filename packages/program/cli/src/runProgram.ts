import { startDeepThread } from "@vedette/executor/threads";
import { escapeControls, plainText } from "@vedette/terminal";
import { exitCodes } from "./exitCodes.js";
import type { ProgramCommand } from "./programs.js";
import type { ProgramMessage } from "./programThread.js";

const heapSizeMb = 2048;

/** Runs a command on a thread with a deep stack and prints what it prints. @returns the exit code */
export function runProgram(command: ProgramCommand): Promise<number> {
  const worker = startDeepThread(new URL("./programThread.js", import.meta.url), command, { heapSizeMb });
  return new Promise((resolve, reject) => {
    let exitCode: number = exitCodes.failure;
    worker.on("message", (message: ProgramMessage) => {
      if ("line" in message) process.stdout.write(`${escapeControls(message.line)}\n`);
      else if ("note" in message) process.stderr.write(`${plainText(message.note)}\n`);
      else exitCode = message.exitCode;
    });
    worker.on("error", reject);
    worker.on("exit", () => resolve(exitCode));
  });
}
