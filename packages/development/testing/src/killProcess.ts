import type { ChildProcess } from "node:child_process";
import { once } from "node:events";

/** Ends a process without warning, if it has not ended yet. */
export async function killProcess(child: ChildProcess | undefined): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}
