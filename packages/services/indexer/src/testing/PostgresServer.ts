import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const directories = ["/usr/local/bin", ...[18, 17, 16, 15, 14].map((version) => `/usr/lib/postgresql/${version}/bin`)];

/** Where this machine has PostgreSQL; `undefined` where it has none. */
export const postgresDirectory: string | undefined = directories.find((directory) =>
  ["initdb", "postgres"].every((name) => existsSync(join(directory, name))),
);

/** PostgreSQL refuses to run for root: another user of the machine does it then. */
function userOf(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const idOf = (kind: "-u" | "-g") => Number(execFileSync("id", [kind, "nobody"], { encoding: "utf8" }));
  return { uid: idOf("-u"), gid: idOf("-g") };
}

/** A PostgreSQL of a test's own that listens in its directory, which is deleted with it. */
export class PostgresServer implements AsyncDisposable {
  readonly #directory: string;
  #process: ChildProcess | undefined;

  private constructor(directory: string) {
    this.#directory = directory;
  }

  static async start(): Promise<PostgresServer> {
    const user = userOf();
    const home = mkdtempSync(join(tmpdir(), "vedette-postgres-"));
    chmodSync(home, 0o777);
    const server = new PostgresServer(home);
    const args = ["-D", server.#data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync"];
    execFileSync(join(postgresDirectory!, "initdb"), args, { stdio: "pipe", cwd: home, ...user });
    await server.resume();
    return server;
  }

  /** Names a socket in the server's directory: no other program can take it, as one could take a port. */
  get url(): string {
    return `postgres://postgres@${encodeURIComponent(this.#directory)}/postgres`;
  }

  get #data(): string {
    return join(this.#directory, "data");
  }

  /** Starts it again after a stop. */
  async resume(): Promise<void> {
    const settings = ["listen_addresses=", `unix_socket_directories=${this.#directory}`, "fsync=off"];
    const args = ["-D", this.#data, ...settings.flatMap((setting) => ["-c", setting])];
    const child = spawn(join(postgresDirectory!, "postgres"), args, { cwd: this.#directory, ...userOf() });
    child.stdout.resume();
    this.#process = child;
    await new Promise<void>((resolve, reject) => {
      let said = "";
      child.stderr.on("data", (chunk: Buffer) => {
        said += chunk.toString();
        if (said.includes("ready to accept connections")) resolve();
      });
      child.on("exit", (code) => reject(new TypeError(`PostgreSQL ended with ${code}: ${said}`)));
    });
  }

  /** Ends it as a machine would that is switched off. */
  async stop(): Promise<void> {
    const child = this.#process;
    if (child === undefined || child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.on("exit", resolve));
    child.kill("SIGQUIT");
    await ended;
    this.#process = undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    rmSync(this.#directory, { recursive: true, force: true });
  }
}
