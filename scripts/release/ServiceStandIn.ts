import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** The settings of a unit's file that the replacement follows. */
type Setting =
  | "ExecStart"
  | "ExecReload"
  | "Restart"
  | "RestartSec"
  | "SuccessExitStatus"
  | "User"
  | "WorkingDirectory";

/**
 * Replaces systemd for a service, as far as that is possible: starts it as its user in a machine's root, restarts it
 * after a failure, signals it to read its log level, stops it. Its sandbox is not here: that is for `systemd-analyze`
 * and for machines with systemd.
 */
export class ServiceStandIn implements AsyncDisposable {
  readonly #root: string;
  readonly #unit: string;
  #process: ChildProcess | undefined;
  #isStopping = false;
  #loop: Promise<void> = Promise.resolve();
  exitCode: number | null = null;
  starts = 0;
  output = "";

  constructor(root: string, unitPath: string) {
    this.#root = root;
    this.#unit = readFileSync(join(root, unitPath), "utf8");
  }

  setting(name: Setting): string {
    const found = new RegExp(`^${name}=(.+)$`, "m").exec(this.#unit);
    if (found === null) throw new Error(`the unit has no ${name}`);
    return found[1]!;
  }

  start(): void {
    this.#loop = this.#run().catch((error: unknown) => {
      this.output += `not started: ${String(error)}`;
    });
  }

  /** As the kernel ends what takes too much memory. */
  kill(): void {
    process.kill(this.#pid(), "SIGKILL");
  }

  reload(): void {
    execFileSync("sh", ["-c", this.setting("ExecReload").replace("$MAINPID", String(this.#pid()))]);
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    if (this.#process?.exitCode === null && this.#process.signalCode === null) process.kill(this.#pid(), "SIGTERM");
    await this.#loop;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  async #run(): Promise<void> {
    const [command = "", ...args] = this.setting("ExecStart").split(" ");
    const user = this.setting("User");
    do {
      this.starts += 1;
      const inside = `cd ${this.setting("WorkingDirectory")} && exec "$@"`;
      const whole = [`--userspec=${user}:${user}`, this.#root, "/bin/sh", "-c", inside, "sh", command, ...args];
      this.#process = spawn("/usr/sbin/chroot", whole, {
        env: { PATH: "/usr/bin:/bin" },
        stdio: ["ignore", "pipe", "pipe"],
      });
      const keep = (part: Buffer) => {
        this.output += part.toString();
      };
      this.#process.stdout!.on("data", keep);
      this.#process.stderr!.on("data", keep);
      await once(this.#process, "close");
      this.exitCode = this.#process.exitCode;
      if (!this.#mayStartAgain()) return;
      await sleep(Number(this.setting("RestartSec")) * 1_000);
    } while (!this.#isStopping);
  }

  #mayStartAgain(): boolean {
    if (this.#isStopping || this.setting("Restart") !== "on-failure") return false;
    return this.exitCode !== 0 && String(this.exitCode) !== this.setting("SuccessExitStatus");
  }

  /** The shells and `chroot` before it have given their process to it. */
  #pid(): number {
    return this.#process!.pid!;
  }
}
