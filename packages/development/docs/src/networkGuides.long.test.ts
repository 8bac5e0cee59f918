// Covers: cli, docs
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePorts, type NodePorts, patienceMs, program, until } from "@vedette/cli/testing";
import { afterAll, expect, test } from "vitest";
import { guideScript } from "./shellCommands.js";

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "vedette-guides-"));
const machines: Machine[] = [];
afterAll(async () => {
  for (const machine of machines) await machine.end();
  rmSync(folder, { recursive: true, force: true });
});

/** The length of the end of a log that shows why the test failed. */
const lastCharacters = 12_000;

/** One machine of a guide: a folder, and ports of its own, as all of them are this machine here. */
class Machine {
  readonly folder: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #ports: NodePorts;
  readonly #nodes: ChildProcess[] = [];
  log = "";
  /** The value of `--host`, with the port that is not the usual one here. */
  readonly api: string;

  private constructor(name: string, ports: NodePorts) {
    this.folder = join(folder, name);
    this.#ports = ports;
    this.api = `127.0.0.1 --port ${ports.grpcExternal}`;
    mkdirSync(join(this.folder, "bin"), { recursive: true });
    symlinkSync(program, join(this.folder, "bin/vedette"));
    this.#env = {
      ...process.env,
      PATH: `${join(this.folder, "bin")}:${process.env["PATH"]}`,
      HOME: this.folder,
      VEDETTE_CONTEXTS: join(this.folder, "contexts.json"),
      VEDETTE_NODE: `127.0.0.1:${ports.grpcExternal}`,
      // The settings that differ from those on separate machines.
      VEDETTE_PROTOCOL_SERVER_PORT: String(ports.protocol),
      VEDETTE_PEERS_DISCOVERY_PORT: String(ports.discovery),
      VEDETTE_API_SERVER_PORT_HTTP: String(ports.http),
      VEDETTE_API_SERVER_PORT_GRPC_EXTERNAL: String(ports.grpcExternal),
      VEDETTE_API_SERVER_PORT_GRPC_INTERNAL: String(ports.grpcInternal),
      VEDETTE_API_SERVER_PORT_ADMIN_HTTP: String(ports.adminHttp),
      VEDETTE_API_SERVER_HOST: "127.0.0.1",
      VEDETTE_PROTOCOL_SERVER_ALLOW_PRIVATE_ADDRESSES: "true",
      VEDETTE_PROTOCOL_SERVER_NO_UPNP: "true",
      // The guide's ten minutes are for people.
      VEDETTE_CASPER_GENESIS_CEREMONY_APPROVE_DURATION: "20 seconds",
    };
  }

  static async named(name: string): Promise<Machine> {
    const machine = new Machine(name, await freePorts());
    machines.push(machine);
    return machine;
  }

  /** Types a command, waits for its end. */
  async type(command: string): Promise<string> {
    const here = command.replaceAll("localhost:40403", `127.0.0.1:${this.#ports.http}`);
    const { stdout } = await run("bash", ["-c", here], {
      cwd: this.folder,
      env: this.#env,
      timeout: Math.ceil(patienceMs()),
    });
    return stdout;
  }

  /** Types a command that runs until it is ended. */
  begin(command: string): void {
    const node = spawn("bash", ["-c", `exec env ${command}`], { cwd: this.folder, env: this.#env });
    for (const stream of [node.stdout, node.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => (this.log += text));
    this.#nodes.push(node);
  }

  /** Waits for a line of the log, and returns it. */
  async findLine(pattern: RegExp): Promise<string> {
    const look = () => {
      const found = pattern.exec(this.log);
      if (found !== null) return found;
      if (machines.some(({ hasEnded }) => hasEnded)) throw new Error(`no ${pattern} in\n${lastLinesOfAll()}`);
      return undefined;
    };
    const found = await until(`${pattern} at ${this.folder}`, look, { everyMs: 200, state: lastLinesOfAll });
    return found[1] ?? found[0];
  }

  /** Types a command until it does not fail, and shows what it should. */
  async typeUntil(command: string, shown: RegExp): Promise<void> {
    let text = "";
    const state = () => `${text}\n${lastLinesOfAll()}`;
    const look = async () => {
      text = await this.type(command).catch(String);
      if (shown.test(text)) return true;
      if (machines.some(({ hasEnded }) => hasEnded)) throw new Error(`${command}: ${state()}`);
      return false;
    };
    await until(`${shown} of ${command}`, look, { everyMs: 500, state });
  }

  /** Whether a node of it is gone: the others may wait for it without end. */
  get hasEnded(): boolean {
    return this.#nodes.some(({ exitCode, signalCode }) => exitCode !== null || signalCode !== null);
  }

  async end(): Promise<void> {
    for (const node of this.#nodes) {
      if (node.exitCode !== null) continue;
      node.kill("SIGTERM");
      await once(node, "exit");
    }
  }
}

/** A stall in one log may have its reason in another. */
function lastLinesOfAll(): string {
  return machines.map(({ folder: where, log }) => `--- ${where}\n${log.slice(-lastCharacters)}`).join("\n");
}

/** The commands of a guide that begin so, each once used. */
function commandsOf(path: string): (beginning: string) => string {
  const steps = guideScript(path);
  return (beginning) => {
    const at = steps.findIndex((step) => step.startsWith(beginning));
    if (at < 0) throw new Error(`${path} has no command ${beginning} any more, or not so often`);
    return steps.splice(at, 1)[0]!;
  };
}

test("a reader of the guides founds a network by a ceremony, bonds one more validator, and runs an observer of it", async () => {
  const next = commandsOf("docs/how-to/network.md");
  const validators = [
    await Machine.named("validator1"),
    await Machine.named("validator2"),
    await Machine.named("validator3"),
  ];
  const [master, newcomer, observer] = [
    await Machine.named("master"),
    await Machine.named("newcomer"),
    await Machine.named("observer"),
  ];
  const allMachines = [master, ...validators, newcomer];

  const makeKey = next("vedette keys generate");
  const people: { readonly publicKey: string; readonly address: string }[] = [];
  for (const one of [...validators, newcomer]) {
    const output = await one.type(makeKey);
    people.push({ publicKey: /Public key: (\w+)/.exec(output)![1]!, address: /Address: (\w+)/.exec(output)![1]! });
  }
  const [bondsLine, walletsLine] = [next("echo"), next("echo")];
  const settings = next("mkdir -p");
  const check = next("vedette config check");
  for (const one of allMachines) {
    await one.type(bondsLine);
    await one.type(walletsLine);
    const lineOf = (name: string) => readFileSync(join(one.folder, name), "utf8");
    const bond = (key: string) => lineOf("bonds.txt").replace(/^\w+/, key);
    const wallet = (address: string) => lineOf("wallets.txt").replace(/^\w+/, address);
    const [bonds, wallets] = [
      people.slice(0, -1).map((who) => bond(who.publicKey)),
      people.map((who) => wallet(who.address)),
    ];
    writeFileSync(join(one.folder, "bonds.txt"), bonds.join(""));
    writeFileSync(join(one.folder, "wallets.txt"), wallets.join(""));
    await one.type(settings);
    await one.type(check);
  }

  master.begin(next("VEDETTE_CASPER_GENESIS_CEREMONY_CEREMONY_MASTER_MODE").replace("<master>", "127.0.0.1"));
  const address = await master.findLine(/Listening for traffic on (rnode:\S+)\./);
  const runValidator = next("vedette run").replace("<validator>", "127.0.0.1").replace("rnode://…", address);
  for (const one of validators) one.begin(runValidator);

  const ask = commandsOf("docs/how-to/observer.md");
  await observer.type(ask("vedette config show"));
  await observer.type(ask("vedette config check").replace("devnet1", "mynet"));
  expect(await observer.type(`${ask("vedette doctor")} || true`)).toContain("Node.js");
  const follow = ask("vedette run -c rnode.conf")
    .replace("<name>", "mynet")
    .replace("<address of this machine for peers>", "127.0.0.1")
    .replace("rnode://…", address);
  await validators[0]!.findLine(/Block #1 \(/);
  // Settings of a network that differ from the defaults come from its operator.
  observer.begin(`VEDETTE_CASPER_FAULT_TOLERANCE_THRESHOLD=0.67 VEDETTE_CASPER_MAX_NUMBER_OF_PARENTS=1 ${follow}`);
  await observer.typeUntil(`${ask("curl localhost:40403/health/ready")} --silent`, /"ready"|^ready|following/);
  await observer.typeUntil(`${ask("curl localhost:40403/status")} --silent`, /"finalizedBlockNumber": ?[1-9]/);
  expect(await observer.type(`${ask("curl localhost:40403/last-finalized-block")} --silent`)).toContain("blockHash");
  expect(await observer.type(`${ask("curl localhost:40403/explore-deploy")} --silent`)).toMatch(/GInt|ExprInt|\b3\b/);

  newcomer.begin(`${runValidator.replace(" --genesis-validator", "")}`);
  await newcomer.typeUntil("curl --silent localhost:40403/status", /"following"/);
  const bonded = await newcomer.type(next("vedette bond").replace("<validator>", validators[0]!.api));
  expect(bonded).toMatch(/final/i);
  expect(await newcomer.type(next("vedette bonds"))).toContain(people.at(-1)!.publicKey.slice(0, 12));
  expect(await newcomer.type(next("vedette status"))).toMatch(/mynet/);
  expect(await newcomer.type(`${next("curl localhost:40403/status")} --silent`)).toContain("finalizedBlockNumber");
});
