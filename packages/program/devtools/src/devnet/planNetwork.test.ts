import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "@vedette/config";
import { wantedPorts } from "@vedette/node/machine";
import { describe, expect, test } from "vitest";
import { LocalNetworkError } from "./LocalNetworkError.js";
import { continuedSettings, defaultSettings, newSettings, parseSettings, printSettings } from "./NetworkSettings.js";
import { configText, type NetworkIdentity } from "./nodeConfig.js";
import { planJoiner, planNetwork, portsFrom } from "./planNetwork.js";

const nodeId = "ab".repeat(20);
const identity: NetworkIdentity = {
  networkId: "local-1",
  nodeIds: { bootstrap: nodeId, validator1: nodeId },
  validatorKeys: {
    validator1: `04${"11".repeat(64)}`,
    validator2: `04${"22".repeat(64)}`,
    validator3: `04${"33".repeat(64)}`,
  },
};

describe("the plan", () => {
  test("three validators: ports as in the published compose files", () => {
    const { nodes } = planNetwork("/network", defaultSettings);
    expect(
      nodes.map(({ name, role, ports, isBootstrap, isGenesisValidator }) => [
        name,
        role,
        ports.protocol,
        isBootstrap,
        isGenesisValidator,
      ]),
    ).toEqual([
      ["bootstrap", "bootstrap", 14400, true, false],
      ["validator1", "validator", 14410, false, true],
      ["validator2", "validator", 14420, false, true],
      ["validator3", "validator", 14430, false, true],
      ["observer", "observer", 14450, false, false],
    ]);
    expect(nodes[0]!.ports).toEqual({
      protocol: 14400,
      grpcExternal: 14401,
      grpcInternal: 14402,
      http: 14403,
      discovery: 14404,
      adminHttp: 14405,
    });
  });

  test("one validator is standalone, and the observer joins through it", () => {
    const plan = planNetwork("/network", newSettings({ validators: 1 }));
    expect(plan.nodes.map(({ name, isBootstrap }) => [name, isBootstrap])).toEqual([
      ["validator1", true],
      ["observer", false],
    ]);
    expect(configOf(plan, "validator1")).toMatchObject({
      standalone: true,
      "casper.genesis-ceremony.required-signatures": 0,
    });
  });

  test("no port is one that the system gives to outgoing connections, however many nodes there are", () => {
    const plan = planNetwork("/network", newSettings({ validators: 50 }));
    const ports = plan.nodes.flatMap((node) => Object.values(node.ports));
    // Linux begins at 32768 by default; macOS and Windows at 49152.
    expect(Math.max(...ports)).toBeLessThan(32_768);
    expect(Math.min(...ports)).toBeGreaterThan(1_023);
  });

  test("every port of every node listens on loopback alone", () => {
    const plan = planNetwork("/network", newSettings({}));
    for (const { name } of plan.nodes) {
      const wanted = wantedPorts(configOf(plan, name));
      expect(wanted.map(({ host }) => host)).toEqual(Array.from({ length: 6 }, () => "127.0.0.1"));
    }
  });

  test("all ports of a large network differ", () => {
    const plan = planNetwork("/network", newSettings({ validators: 50, basePort: 2_000 }));
    const ports = plan.nodes.flatMap((node) => Object.values(node.ports));
    expect(new Set(ports).size).toBe(52 * 6);
  });
});

describe("configuration files", () => {
  test("each is read without a warning and states the node's role", () => {
    const plan = planNetwork(
      '/a "strange" $folder',
      newSettings({ rhythmMs: 2_500, parents: 4, faultTolerance: 0.25, synchrony: 0.5 }),
    );
    const bootstrap = configOf(plan, "bootstrap");
    expect(bootstrap).toMatchObject({
      standalone: true,
      "casper.genesis-ceremony.ceremony-master-mode": true,
      "casper.genesis-ceremony.required-signatures": 2,
      "casper.validator-private-key-path": undefined,
      "casper.heartbeat.enabled": false,
      "storage.data-dir": '/a "strange" $folder/bootstrap',
    });
    expect(configOf(plan, "validator2")).toMatchObject({
      standalone: false,
      "protocol-server.port": 14420,
      "protocol-client.network-id": "local-1",
      "protocol-client.bootstrap": expect.stringContaining(`${nodeId}@127.0.0.1?protocol=14400&discovery=14404`),
      "casper.genesis-ceremony.genesis-validator-mode": true,
      "casper.genesis-ceremony.ceremony-master-mode": false,
      "casper.validator-private-key-path": '/a "strange" $folder/validator2/validator.key',
      "casper.heartbeat.enabled": true,
      "casper.heartbeat.check-interval": 7_500,
      "casper.heartbeat.stale-recovery-min-interval": 1_250,
      "casper.max-number-of-parents": 4,
      "casper.fault-tolerance-threshold": 0.25,
      "casper.synchrony-constraint-threshold": 0.5,
      "casper.genesis-block-data.pos-multi-sig-quorum": 2,
    });
    expect(configOf(plan, "observer")).toMatchObject({
      "protocol-client.disable-lfs": true,
      "casper.validator-private-key-path": undefined,
      "casper.genesis-ceremony.genesis-validator-mode": false,
    });
  });

  test("deploys travel between validators where blocks have one parent", () => {
    const relays = (parents: number) =>
      configOf(planNetwork("/network", newSettings({ parents })), "validator1")["casper.relay-deploys"];
    expect([relays(1), relays(2)]).toEqual([true, false]);
  });

  test("a validator that comes later takes no part in genesis", () => {
    const plan = planNetwork("/network", defaultSettings);
    const node = planJoiner(plan, "late", "validator", portsFrom(50_000));
    const config = read(configText(plan, node, identity, { "casper.heartbeat.enabled": false }));
    expect(config).toMatchObject({
      "casper.genesis-ceremony.genesis-validator-mode": false,
      "casper.heartbeat.enabled": false,
    });
  });
});

describe("settings", () => {
  test("they survive a file", () => {
    const settings = newSettings({ stake: 7n, balance: 2n ** 50n, faultTolerance: -0.5, judgeBy: "arrival" });
    expect(parseSettings(JSON.parse(JSON.stringify(printSettings(settings))))).toEqual(settings);
  });

  test("genesis decides most of them; the others may change", () => {
    expect(continuedSettings(defaultSettings, { rhythmMs: 1_000, validators: 3 }, "/n").rhythmMs).toBe(1_000);
    expect(() =>
      continuedSettings(defaultSettings, { validators: 4, epochLength: 9 }, "/n"),
    ).toThrowErrorMatchingInlineSnapshot(
      `[LocalNetworkError: The network in /n was made with --validators 3 --epoch-length 100; leave that out to continue it, or delete it with --reset]`,
    );
  });

  test.each([
    { validators: 0 },
    { validators: 1.5 },
    { stake: 0n },
    { rhythmMs: 10 },
    { synchrony: 2 },
    { basePort: 80 },
    { basePort: 65_500 },
    { wallets: 0 },
  ])("%o is refused", (given) => expect(() => newSettings(given as object)).toThrow(LocalNetworkError));

  test.each([
    undefined,
    7,
    {},
    { ...printSettings(defaultSettings), stake: 5 },
    { ...printSettings(defaultSettings), parents: "2" },
  ])("a file that contains %j is refused", (value) => expect(() => parseSettings(value)).toThrow(TypeError));
});

function configOf(plan: ReturnType<typeof planNetwork>, name: string) {
  return read(configText(plan, plan.nodes.find((node) => node.name === name)!, identity));
}

function read(text: string) {
  const folder = mkdtempSync(join(tmpdir(), "vedette-test-"));
  try {
    const configFile = join(folder, "rnode.conf");
    writeFileSync(configFile, text);
    const { config, warnings } = readConfig({ home: folder, configFile, environment: {} });
    expect(warnings).toEqual([]);
    return config;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
