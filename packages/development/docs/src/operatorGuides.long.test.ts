// Covers: docs, cli
import { execFile } from "node:child_process";
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePorts, type NodePorts, NodeProcess, patienceMs, program, until } from "@vedette/cli/testing";
import { afterAll, expect, test } from "vitest";
import { documents, root } from "./documents.js";
import { notFollowed } from "./notRun.js";
import { guideSettings, stepsInOrder } from "./shellCommands.js";

const exec = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "vedette-operators-"));
const nodes: NodeProcess[] = [];
afterAll(async () => {
  for (const node of nodes) await node.stop();
  rmSync(folder, { recursive: true, force: true });
});

const testMs = 300_000;
const textOf = (path: string) => documents().find((one) => one.path === path)!.text;
const isLeftOut = (step: string) => notFollowed.some(([pattern]) => pattern.test(step));

/** A reader of a guide with a machine: a folder, empty at first, and ports. */
class Operator {
  readonly folder: string;
  readonly ports: NodePorts;

  private constructor(name: string, ports: NodePorts) {
    this.folder = join(folder, name);
    this.ports = ports;
    mkdirSync(join(this.folder, "bin"), { recursive: true });
    symlinkSync(program, join(this.folder, "bin/vedette"));
  }

  static async named(name: string): Promise<Operator> {
    return new Operator(name, await freePorts());
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  /** Types a command, waits for its end. */
  async type(command: string): Promise<string> {
    const { http, grpcExternal, grpcInternal } = this.ports;
    const here = command
      .replaceAll("localhost:40403", `127.0.0.1:${http}`)
      .replaceAll("localhost:40401", `127.0.0.1:${grpcExternal}`)
      .replaceAll("localhost:40402", `127.0.0.1:${grpcInternal}`)
      .replace(/^curl /, "curl --silent --show-error --fail-with-body ");
    const env = {
      ...process.env,
      PATH: `${this.path("bin")}:${process.env["PATH"]}`,
      HOME: this.folder,
      VEDETTE_CONTEXTS: this.path("contexts.json"),
      HTTP_PORT: String(http),
    };
    return (await exec("bash", ["-c", here], { cwd: this.folder, env, timeout: Math.ceil(patienceMs()) })).stdout;
  }

  /** Types a command that starts a node, with what is not so on a machine of one's own. */
  begin(command: string, ...args: string[]): NodeProcess {
    const given = command.replace("vedette run", "").split(/\s+/).filter(Boolean);
    const { ports, folder: cwd } = this;
    const rules = ["--max-number-of-parents=1", ...args];
    const node = new NodeProcess({ dataDir: "./data", ports, networkId: "mynet", cwd, args: [...given, ...rules] });
    nodes.push(node);
    return node;
  }

  /** Waits for what a route answers. */
  async shows(path: string, pattern: RegExp): Promise<string> {
    let text = "";
    const look = async () => pattern.test((text = await this.type(`curl localhost:40403${path}`).catch(String)));
    const state = () => `${text}\n${nodes.at(-1)?.lines.slice(-40).join("\n")}`;
    await until(`${pattern} of ${path}`, look, { everyMs: 200, state });
    return text;
  }

  ready(): Promise<string> {
    return this.shows("/health/ready", /^\{"status":"ready"/);
  }

  /** Makes the node propose a block with a deploy. @returns the block's number */
  async makeBlock(): Promise<number> {
    const { grpcInternal } = this.ports;
    const before = await this.blockNumber();
    writeFileSync(this.path("program.rho"), "new x in { x!(1) }\n");
    await this.type(`vedette deploy program.rho --private-key-file validator.key -p ${grpcInternal}`);
    expect(await this.type(`vedette propose -p ${grpcInternal}`)).toContain("created");
    expect(await this.blockNumber()).toBe(before + 1);
    return before + 1;
  }

  async blockNumber(): Promise<number> {
    return Number(/"blockNumber":(\d+)/.exec(await this.type("curl localhost:40403/status"))![1]);
  }
}

const keyOption = "--validator-private-key-path=validator.key";

/** A network of one validator, founded by its operator. */
async function founded(name: string): Promise<{ readonly founder: Operator; readonly node: NodeProcess }> {
  const founder = await Operator.named(name);
  const output = await founder.type("vedette keys generate validator.key");
  writeFileSync(founder.path("bonds.txt"), `${/Public key: (\w+)/.exec(output)![1]} 1000\n`);
  writeFileSync(founder.path("wallets.txt"), `${/Address: +(\w+)/.exec(output)![1]},10000000000000\n`);
  const files = ["bonds", "wallets"].map((file) => `--${file}-file=${founder.path(`${file}.txt`)}`);
  const node = founder.begin("vedette run", "--standalone", keyOption, ...files);
  await founder.ready();
  await founder.makeBlock();
  return { founder, node };
}

/** Follows a validator's guide: the chain first, without the key; then the key, and blocks that go on. */
async function goOnWithKey(validator: Operator, peer: string, newest: number): Promise<NodeProcess> {
  const without = validator.begin("vedette run", `--bootstrap=${peer}`);
  await validator.ready();
  await validator.shows("/status", new RegExp(`"blockNumber":${newest},`));
  expect(await without.stop()).toBe(143);
  const node = validator.begin("vedette run", `--bootstrap=${peer}`, keyOption);
  await validator.ready();
  expect(await validator.makeBlock()).toBe(newest + 1);
  return node;
}

/** Names of metrics in a text. */
const metricsIn = (text: string) =>
  new Set([...text.matchAll(/\b(?:vedette|rchain|nodejs)_[a-z][a-z0-9_]+/g)].map(([name]) => name));

test(
  "a reader of docs/how-to/operations.md configures, runs, watches, upgrades, backs up and restores",
  async () => {
    const path = "docs/how-to/operations.md";
    const next = stepsInOrder(path, isLeftOut);
    const { founder, node: founding } = await founded("founder");
    const operator = await Operator.named("operator");

    // Configuration: the commands, then every piece of settings that the guide has.
    await operator.type(next("mkdir"));
    await operator.type(next("vedette config show"));
    const check = next("vedette config check");
    expect(await operator.type(check)).toContain("api-server.port-http");
    const settings = guideSettings(path);
    expect(settings.length).toBeGreaterThanOrEqual(4);
    // The file of API keys is made by a later step, and a check misses what is not there.
    const ofKeys = settings.filter((one) => one.includes("api-server.keys"));
    const others = settings.filter((one) => !one.includes("api-server.keys"));
    appendFileSync(operator.path("data/rnode.conf"), others.join("\n"));
    expect(await operator.type(next("vedette config check"))).toContain("slash-without-confirmation");

    const key = (await operator.type(next("vedette api-key create"))).trim();
    appendFileSync(operator.path("data/rnode.conf"), `\n${ofKeys.join("\n")}`);

    // Start, and a second process with the same data directory.
    const bootstrap = `--bootstrap=${await founding.address()}`;
    const run = next("vedette run");
    const node = operator.begin(run, bootstrap);
    await operator.ready();
    const second = operator.begin(run, bootstrap);
    expect(await second.ended()).not.toBe(0);
    expect(second.lines.join("\n")).toContain("already in use");
    expect(await operator.type(next("curl localhost:40401"))).toContain("mynet");

    expect(await operator.type(`curl -H "x-api-key: ${key}" localhost:40403/api/status`)).toContain("mynet");
    await expect(operator.type(`curl -H "x-api-key: ${key}x" localhost:40403/api/status`)).rejects.toThrow("401");

    // Signals: the level of the log.
    appendFileSync(operator.path("data/rnode.conf"), "\nlogging.level = debug\n");
    process.kill(node.pid!, "SIGHUP");
    await node.line(/SIGHUP received: the log level is debug/);
    process.kill(node.pid!, "SIGUSR2");
    await node.line(/SIGUSR2 received: everything is logged/);

    // Health: the routes and commands of the table.
    for (const [, route] of textOf(path).matchAll(/^\| `GET (\/\S+)`/gm))
      await operator.type(`curl localhost:40403${route}`);
    // One look; the one of the table runs until it is ended.
    expect(await operator.type("vedette top -n 1 --http-port $HTTP_PORT")).not.toBe("");

    // Metrics of the guide, of the alerts and the dashboard: a running node has each.
    const alerts = readFileSync(join(root, "docker/alerts.yml"), "utf8");
    const metrics = await operator.type("curl localhost:40403/metrics");
    const known = new Set([...metrics.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name!));
    const expressions = [...alerts.matchAll(/expr: (.*)/g)].map(([, expression]) => expression!);
    const named = [...metricsIn(textOf(path)), ...metricsIn(expressions.join(" "))];
    expect(named.filter((name) => !known.has(name))).toEqual([]);
    // A metric that was never counted must be 0, not missing: the first one would be no increase.
    const counted = expressions.flatMap((one) => [...one.matchAll(/increase\((\w+)(?:\{(\w+="\w+")\})?/g)]);
    const hasSample = (name: string, label = "") =>
      metrics.split("\n").some((line) => new RegExp(`^${name}[{ ]`).test(line) && line.includes(label));
    expect(counted.length).toBeGreaterThan(3);
    expect(counted.filter(([, name, label]) => !hasSample(name!, label)).map(([one]) => one)).toEqual([]);
    expect(metrics).toContain('vedette_phase{phase="following"} 1');
    for (const [, alert] of alerts.matchAll(/alert: (\w+)/g)) expect(textOf(path)).toContain(`\`${alert}\``);

    // Upgrade: stopped, started on its own data, with the next command of the log's section.
    const [height, address] = [await operator.blockNumber(), await node.address()];
    expect(await node.stop()).toBe(143);
    operator.begin(next("vedette run --log-level"), bootstrap);
    await operator.ready();
    expect(await operator.blockNumber()).toBe(height);

    // Backup of both while they are stopped; afterwards the chain goes on.
    expect(await operator.type("curl localhost:40403/status")).toContain(`"${address}"`);
    expect(await founding.stop()).toBe(143);
    cpSync(founder.path("data"), founder.path("backup"), { recursive: true });
    const again = founder.begin("vedette run", keyOption, `--bootstrap=${address}`);
    await founder.ready();
    const newest = await founder.makeBlock();
    await operator.shows("/status", new RegExp(`"blockNumber":${newest},`));
    await again.kill();
    rmSync(founder.path("data"), { recursive: true });
    cpSync(founder.path("backup"), founder.path("data"), { recursive: true });
    await goOnWithKey(founder, address, newest);
    await operator.shows("/status", new RegExp(`"blockNumber":${newest + 1},`));
    expect(() => next("")).toThrow("but undefined");
  },
  testMs,
);

/** The file that rnode's documents give an observer, without the bootstrap. */
const referenceFile = (bootstrap: string) => `standalone = false
protocol-server { network-id = "mynet" }
protocol-client { bootstrap = "${bootstrap}", network-timeout = 5 seconds }
api-server {
  host = \${?OBSERVER_HOST}
  port = 40403
  port-kademlia = 40404
  enable-reporting = true
  grpc-max-recv-message-size = 16M
}
tls {
  certificate-path = "node.certificate.pem"
  key-path = "node.key.pem"
}
`;

test(
  "a reader of docs/how-to/migrate-from-rnode.md moves an observer, then the validator, and both go on",
  async () => {
    const next = stepsInOrder("docs/how-to/migrate-from-rnode.md", isLeftOut);
    // Replaces nodes of rnode, which use the same protocol.
    const { founder: oldValidator, node: validating } = await founded("old-validator");
    const bootstrap = await validating.address();
    const oldObserver = await Operator.named("old-observer");
    const observing = oldObserver.begin("vedette run", `--bootstrap=${bootstrap}`);
    await oldObserver.ready();
    const [, oldId] = /rnode:\/\/(\w+)@/.exec(await observing.address())!;

    // The observer: its file is looked at, the identity copied, the old node stopped.
    const observer = await Operator.named("observer");
    writeFileSync(observer.path("rnode.conf"), referenceFile(bootstrap));
    expect(await observer.type(`${next("vedette config check")} 2>&1`)).not.toContain("there is no such key");
    expect(await observing.stop()).toBe(143);
    mkdirSync(observer.path("data"));
    for (const name of ["node.certificate.pem", "node.key.pem"])
      cpSync(oldObserver.path(`data/${name}`), observer.path(`data/${name}`));
    const moved = observer.begin(next("vedette run"), "-Dlogback.configurationFile=/var/lib/rnode/logback.xml");
    await observer.ready();
    const address = await moved.address();
    expect(address).toContain(oldId!);
    // "Ask both for the same block."
    const asked = "curl localhost:40403/last-finalized-block";
    const hashOf = (text: string) => /"blockHash":"(\w+)"/.exec(text)![1];
    expect(hashOf(await observer.type(asked))).toBe(hashOf(await oldValidator.type(asked)));

    // The validator: the old one is stopped, the new one begins in an empty folder without the key.
    const newest = await oldValidator.makeBlock();
    await observer.shows("/status", new RegExp(`"blockNumber":${newest},`));
    expect(await validating.stop()).toBe(143);
    const validator = await Operator.named("validator");
    cpSync(oldValidator.path("validator.key"), validator.path("validator.key"));
    await goOnWithKey(validator, address, newest);
    await observer.shows("/status", new RegExp(`"blockNumber":${newest + 1},`));
    expect(() => next("")).toThrow("but undefined");
  },
  testMs,
);
