import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort, goProgram, keepLog, killProcess, processEvidence } from "@vedette/testing";

/** A real NATS server with JetStream, on loopback, with a store of its own. */
export class NatsServer implements AsyncDisposable {
  readonly #folder = mkdtempSync(join(tmpdir(), "vedette-nats-"));
  readonly #port: number;
  readonly #more: readonly string[];
  #process: ChildProcess | undefined;

  private constructor(port: number, more: readonly string[]) {
    [this.#port, this.#more] = [port, more];
  }

  /** @param more options of the server */
  static async start(more: readonly string[] = []): Promise<NatsServer> {
    const server = new NatsServer(await freePort(), more);
    await server.begin();
    return server;
  }

  get url(): string {
    return `nats://127.0.0.1:${this.#port}`;
  }

  /** The server, which is built where it is not there yet: that may take minutes. */
  static program(): string {
    return goProgram("github.com/nats-io/nats-server/v2", "v2.15.2");
  }

  /** Starts it, also again. */
  async begin(): Promise<void> {
    const args = ["-a", "127.0.0.1", "-p", String(this.#port), "-js", "-sd", this.#folder, ...this.#more];
    const child = spawn(NatsServer.program(), args, { stdio: ["ignore", "pipe", "pipe"] });
    this.#process = child;
    keepLog("nats-server", child);
    for (;;) {
      if (child.exitCode !== null || child.signalCode !== null)
        throw new Error(`nats-server has ended with ${child.exitCode ?? child.signalCode}`);
      const socket = connect(this.#port, "127.0.0.1");
      const isOpen = await once(socket, "connect").then(
        () => true,
        () => false,
      );
      socket.destroy();
      if (isOpen) return;
      await sleep(30);
    }
  }

  /** Ends it without warning. @param isForgotten whether all that it had is lost */
  async kill(isForgotten = false): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    await killProcess(child);
    if (isForgotten) rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Stops it without ending it: its connections stay, and nothing is answered. */
  async freeze(): Promise<void> {
    const { pid } = this.#process!;
    process.kill(pid!, "SIGSTOP");
    // Its threads go on for a moment.
    while (process.platform === "linux" && !threadStates(pid!).every((state) => state === "T")) await sleep(5);
  }

  /** Lets it go on. */
  thaw(): void {
    this.#process?.kill("SIGCONT");
  }

  /** Ends it, once the test is over. */
  async [Symbol.asyncDispose](): Promise<void> {
    await processEvidence.dismiss([], async () => {
      await this.kill();
      rmSync(this.#folder, { recursive: true, force: true });
    });
  }
}

function threadStates(pid: number): string[] {
  const folder = `/proc/${pid}/task`;
  // The state comes after the name, which is in brackets.
  return readdirSync(folder).map((id) => readFileSync(`${folder}/${id}/stat`, "utf8").split(") ").at(-1)![0]!);
}
