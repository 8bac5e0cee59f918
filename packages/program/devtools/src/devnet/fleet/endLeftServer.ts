import { execFile } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { findPortOwner } from "../portOwner.js";

const run = promisify(execFile);
const psTimeoutMs = 2_000;
const patienceMs = 10_000;
const pollMs = 50;

/**
 * Ends a server that a killed launcher has left behind: unlike our own programs, it does not notice.
 *
 * @param port   that it listens on
 * @param folder its own; only a process with that folder in its command is ended
 */
export async function endLeftServer(port: number, folder: string): Promise<void> {
  const pid = (await findPortOwner(port))?.pid;
  if (pid === undefined || !(await commandOf(pid)).includes(folder)) return;
  end(pid, "SIGTERM");
  const giveUpMs = performance.now() + patienceMs;
  while ((await commandOf(pid)).includes(folder)) {
    if (performance.now() > giveUpMs) end(pid, "SIGKILL");
    await sleep(pollMs);
  }
}

function end(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

async function commandOf(pid: number): Promise<string> {
  try {
    const { stdout } = await run("ps", ["-ww", "-o", "args=", "-p", String(pid)], { timeout: psTimeoutMs });
    return stdout;
  } catch {
    return "";
  }
}
