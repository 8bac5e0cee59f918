import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { keepLog, processEvidence } from "./evidence/processEvidence.js";
import { freePort } from "./freePort.js";
import { goProgram } from "./goProgram.js";
import { killProcess } from "./killProcess.js";

const access = { id: "vedette", secret: "a-secret-of-this-test" };
const pollMs = 30;

/** A real S3 server on loopback with one bucket, in a folder of its own. */
export class S3Server implements AsyncDisposable {
  /** The name of its bucket. */
  readonly bucket = "bucket";
  /** The environment that its clients need. */
  readonly environment = { AWS_ACCESS_KEY_ID: access.id, AWS_SECRET_ACCESS_KEY: access.secret };
  readonly #folder = mkdtempSync(join(tmpdir(), "vedette-s3-"));
  readonly #port: number;
  #process: ChildProcess | undefined;

  private constructor(port: number) {
    this.#port = port;
    mkdirSync(join(this.#folder, this.bucket));
  }

  static async start(): Promise<S3Server> {
    const server = new S3Server(await freePort());
    await server.begin();
    return server;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** The server, which is built where it is not there yet: that may take minutes. */
  static program(): string {
    return goProgram("github.com/versity/versitygw/cmd/versitygw", "v1.8.0");
  }

  /** Starts it, also again. @throws Error where it ends at once */
  async begin(): Promise<void> {
    const address = `127.0.0.1:${this.#port}`;
    const args = ["--access", access.id, "--secret", access.secret, "--port", address, "posix", this.#folder];
    const child = spawn(S3Server.program(), args, { stdio: ["ignore", "pipe", "pipe"] });
    this.#process = child;
    keepLog("versitygw", child);
    for (;;) {
      if (child.exitCode !== null || child.signalCode !== null)
        throw new Error(`versitygw has ended with ${child.exitCode ?? child.signalCode}`);
      const socket = connect(this.#port, "127.0.0.1");
      const isOpen = await once(socket, "connect").then(
        () => true,
        () => false,
      );
      socket.destroy();
      if (isOpen) return;
      await sleep(pollMs);
    }
  }

  /** Ends it without warning. */
  async kill(): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    await killProcess(child);
  }

  /** Ends it, once the test is over. */
  async [Symbol.asyncDispose](): Promise<void> {
    await processEvidence.dismiss([], async () => {
      await this.kill();
      rmSync(this.#folder, { recursive: true, force: true });
    });
  }
}
