import { createRequire } from "node:module";

/**
 * Ends the process at once. Unlike `process.exit` it waits for no thread; stores are as after a kill.
 *
 * @param code the exit code, where the system's library can be called; elsewhere it is that of a kill
 */
export function endProcess(code: number): void {
  try {
    const { load } = createRequire(import.meta.url)("koffi") as typeof import("koffi");
    load(null).func("void _exit(int code)")(code);
  } catch {
    process.kill(process.pid, "SIGKILL");
  }
}
