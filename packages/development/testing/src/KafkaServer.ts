import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { keepLog, processEvidence } from "./evidence/processEvidence.js";
import { freePort } from "./freePort.js";
import { killProcess } from "./killProcess.js";
import { until } from "./wait/until.js";

const project = fileURLToPath(new URL("../../../../interop/kafka", import.meta.url));
const libraries = join(project, "target", "libraries");
const javaOptions = ["-Xmx256m", "-XX:TieredStopAtLevel=1", "-cp", join(libraries, "*")];

/** Why Kafka is not here; `undefined` where it can be had. */
export function whyNoKafka(): string | undefined {
  for (const command of ["mvn", "java"])
    if (spawnSync(command, ["--version"]).status !== 0) return `there is no ${command} command`;
  return undefined;
}

/** A real Kafka, one process that is broker and controller (KRaft), on loopback, with a store of its own. */
export class KafkaServer implements AsyncDisposable {
  readonly #folder = mkdtempSync(join(tmpdir(), "vedette-kafka-"));
  readonly #port: number;
  #process: ChildProcess | undefined;

  private constructor(port: number) {
    this.#port = port;
  }

  /** Fetches Kafka where it is not there yet: that may take a minute. @throws Error with what went wrong */
  static async start(): Promise<KafkaServer> {
    fetchLibraries();
    const server = new KafkaServer(await freePort());
    await server.#format();
    await server.begin();
    return server;
  }

  get broker(): string {
    return `127.0.0.1:${this.#port}`;
  }

  /** Starts it, also again, and waits until it has started. @throws Error with its output */
  async begin(): Promise<void> {
    const child = spawn("java", [...javaOptions, "kafka.Kafka", this.#settings], { cwd: this.#folder });
    this.#process = child;
    const said = keepLog("kafka", child);
    // Without a setting for its log it prints nothing: a client that can connect and sends a request is answered.
    const isThere = async () => {
      if (child.exitCode !== null || child.signalCode !== null) throw new Error(`Kafka did not start: ${said()}`);
      return this.#isThere();
    };
    await until("Kafka to answer", isThere, { everyMs: 100, state: said });
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

  get #settings(): string {
    return join(this.#folder, "server.properties");
  }

  async #format(): Promise<void> {
    const controller = await freePort();
    writeFileSync(
      this.#settings,
      [
        "process.roles=broker,controller",
        "node.id=1",
        `controller.quorum.voters=1@127.0.0.1:${controller}`,
        `listeners=PLAINTEXT://${this.broker},CONTROLLER://127.0.0.1:${controller}`,
        "controller.listener.names=CONTROLLER",
        "listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
        `log.dirs=${join(this.#folder, "data")}`,
        "num.partitions=4",
        "offsets.topic.replication.factor=1",
        "transaction.state.log.replication.factor=1",
        "transaction.state.log.min.isr=1",
      ].join("\n"),
    );
    const tool = ["kafka.tools.StorageTool", "format", "-t", "MkU3OEVBNTcwNTJENDM2Qg", "-c", this.#settings];
    const done = spawnSync("java", [...javaOptions, ...tool], { encoding: "utf8" });
    if (done.status !== 0) throw new Error(`Kafka's store cannot be made: ${done.stdout}${done.stderr}`);
  }

  /** Whether it reports the versions of its messages, as it does once it serves. */
  async #isThere(): Promise<boolean> {
    const socket = connect(this.#port, "127.0.0.1");
    socket.setTimeout(1_000, () => socket.destroy());
    // ApiVersions, version 0, number 1, no client.
    const request = Buffer.from("0000000a0012000000000001ffff", "hex");
    try {
      await once(socket, "connect");
      socket.write(request);
      const [answer] = (await once(socket, "data")) as [Buffer];
      return answer.readInt32BE(4) === 1;
    } catch {
      return false;
    } finally {
      socket.destroy();
    }
  }
}

function fetchLibraries(): void {
  if (existsSync(libraries)) return;
  // Made beside, and given its name at the end: what was broken off is not there.
  const folder = mkdtempSync(join(project, "fetching-"));
  try {
    cpSync(join(project, "pom.xml"), join(folder, "pom.xml"));
    const fetching = spawnSync("mvn", ["--quiet", "--batch-mode", "process-classes"], {
      ...{ cwd: folder, encoding: "utf8" },
    });
    if (fetching.status !== 0) throw new Error(`Kafka cannot be fetched: ${fetching.stdout}${fetching.stderr}`);
    renameSync(join(folder, "target"), join(project, "target"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
