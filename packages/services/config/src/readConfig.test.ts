// biome-ignore-all lint/suspicious/noTemplateCurlyInString: HOCON's substitutions look like placeholders
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { ConfigError } from "./ConfigError.js";
import { formerNames } from "./formerNames.js";
import { type KeyName, keyNames, keyOf, longOptionOf, variableOf } from "./keys.js";
import { type ReadConfig, readConfig } from "./readConfig.js";
import { suggestKey } from "./unknownKeys.js";

const folder = mkdtempSync(join(tmpdir(), "vedette-config-"));
afterAll(() => rmSync(folder, { recursive: true }));

type Options = Parameters<typeof readConfig>[0]["options"];
let count = 0;

function read(text: string | undefined, options?: Options, environment: Record<string, string> = {}): ReadConfig {
  const home = join(folder, `home${count++}`);
  mkdirSync(join(home, ".rnode"), { recursive: true });
  if (text !== undefined) writeFileSync(join(home, ".rnode", "rnode.conf"), text);
  return readConfig(options === undefined ? { home, environment } : { home, environment, options });
}

function faultsOf(text: string, options?: Options, environment?: Record<string, string>): string[] {
  try {
    read(text, options, environment);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    const [title, ...lines] = (error as ConfigError).message.split("\n");
    expect(title).toBe("Can't build the configuration: ");
    return lines.map((line) => line.replace(/^\S*(rnode\.conf)/, "$1"));
  }
  return [];
}

describe("the defaults", () => {
  const { config, file, notices, warnings } = read(undefined);

  test("are used where there is no file, and this is reported", () => {
    expect(file).toBeUndefined();
    expect(notices).toEqual(["No configuration file found, using defaults"]);
    expect(warnings).toEqual([]);
    expect(Object.keys(config).sort()).toEqual([...keyNames].sort());
  });

  test("have rnode's values in the keys' types", () => {
    expect(config["protocol-server.network-id"]).toBe("testnet");
    expect(config["protocol-client.network-id"]).toBe("testnet");
    expect(config["protocol-client.grpc-max-recv-message-size"]).toBe(262_144n);
    expect(config["protocol-client.network-timeout"]).toBe(5000);
    expect(config["casper.genesis-block-data.bond-maximum"]).toBe(9_223_372_036_854_775_807n);
    expect(config["casper.genesis-block-data.deploy-timestamp"]).toBeUndefined();
    expect(config["casper.genesis-block-data.pos-multi-sig-public-keys"]).toHaveLength(3);
    expect(config["casper.synchrony-constraint-threshold"]).toBe(0.67);
    expect(config["casper.max-parent-depth"]).toBe(2_147_483_647);
    expect(config["casper.validator-private-key"]).toBeUndefined();
    expect(config["tls.key-path"]).toBe(`${config["default-data-dir"]}/node.key.pem`);
    expect(config["casper.genesis-block-data.bonds-file"]).toBe(`${config["default-data-dir"]}/genesis/bonds.txt`);
  });

  test("depend on the profile and the data folder", () => {
    const docker = readConfig({ home: folder, profile: "docker", environment: {} });
    expect(docker.config["storage.data-dir"]).toBe("/var/lib/rnode");
    const other = readConfig({ home: folder, profile: "nonsense", environment: {} });
    expect(other.config["storage.data-dir"]).toBe(join(folder, ".rnode"));
    const chosen = read(undefined, new Map([["storage.data-dir", "/data"]])).config;
    expect([chosen["default-data-dir"], chosen["tls.certificate-path"]]).toEqual([
      "/data",
      "/data/node.certificate.pem",
    ]);
  });
});

describe("which source wins", () => {
  test("an option over a variable over the file over the default", () => {
    const text = "api-server { port-http = 1, port-admin-http = 1, port-grpc-external = 1 }";
    const environment = { VEDETTE_API_SERVER_PORT_HTTP: "2", VEDETTE_API_SERVER_PORT_ADMIN_HTTP: "2" };
    const { config } = read(text, new Map([["api-server.port-http", "3"]]), environment);
    expect(config["api-server.port-http"]).toBe(3);
    expect(config["api-server.port-admin-http"]).toBe(2);
    expect(config["api-server.port-grpc-external"]).toBe(1);
    expect(config["api-server.port-grpc-internal"]).toBe(40402);
  });

  test("substitutions see the result of all", () => {
    const { config } = read(
      "protocol-server.network-id = one\ncasper.shard-name = ${protocol-server.network-id}",
      new Map<KeyName, string | boolean>([
        ["protocol-server.network-id", "two"],
        ["standalone", true],
      ]),
    );
    expect(config["casper.shard-name"]).toBe("two");
    expect(config["protocol-client.network-id"]).toBe("two");
    expect(config["casper.genesis-ceremony.ceremony-master-mode"]).toBe(true);
  });

  test("a list replaces the default one, or adds to it", () => {
    const name = "casper.genesis-block-data.pos-multi-sig-public-keys";
    expect(read(`${name} = [a, "b"]`).config[name]).toEqual(["a", "b"]);
    expect(read(`${name} += d`).config[name]).toHaveLength(4);
    expect(read("", undefined, { [variableOf(name)]: "a, b" }).config[name]).toEqual(["a", "b"]);
  });

  test("an option for two keys sets both", () => {
    const { config } = read("", new Map([["protocol-server.grpc-max-recv-message-size", "1000"]]));
    expect(config["protocol-client.grpc-max-recv-message-size"]).toBe(1000n);
  });

  test("an optional substitution without its variable leaves the default", () => {
    const text = "api-server.host = ${?OBSERVER_HOST}";
    expect(read(text).config["api-server.host"]).toBe("0.0.0.0");
    expect(read(text, undefined, { OBSERVER_HOST: "203.0.113.7" }).config["api-server.host"]).toBe("203.0.113.7");
  });
});

const documentedObserver = `
# Observer node
standalone = false
protocol-client {
  bootstrap = "rnode://0d1312b556db1d3fa4745fd88c29f8e15095621e@54.152.57.201?protocol=40400&discovery=40404"
}
api-server {
  host = \${?OBSERVER_HOST}
  port = 40403
  port-grpc-external = 40401
  port-grpc-internal = 40402
  port-http = 40403
  port-kademlia = 40404
  enable-reporting = true
}
# peers-discovery.host = \${?OBSERVER_HOST}
tls {
  certificate-path = "node.certificate.pem"
  key-path = "node.key.pem"
}
`;

const deployedObserver = `
protocol-server { network-id = devnet1, allow-private-addresses = true }
protocol-client.disable-lfs = true
casper {
  fault-tolerance-threshold = 0.99
  max-number-of-parents = 1
  synchrony-constraint-threshold = 0.33
  fork-choice-stale-threshold = 1 minutes
  fork-choice-check-if-stale-interval = 3 minutes
  genesis-block-data {
    epoch-length = 10
    quarantine-length = 10
    pos-multi-sig-quorum = 3
  }
  genesis-ceremony {
    required-signatures = 2
    approve-interval = 10 seconds
    approve-duration = 1 minutes
    genesis-validator-mode = false
    ceremony-master-mode = false
  }
}
`;

describe("the published files of an observer", () => {
  test("the documented one is accepted, and does what its author meant", () => {
    const { config, warnings, notices } = read(documentedObserver.replace("40404\n", "40999\n"));
    const dataDir = config["storage.data-dir"];
    expect(config["api-server.enable-reporting"]).toBe(true);
    expect(config["api-server.port-http"]).toBe(40403);
    expect(config["peers-discovery.port"]).toBe(40999);
    expect(config["tls.certificate-path"]).toBe(`${dataDir}/node.certificate.pem`);
    expect(config["tls.key-path"]).toBe(`${dataDir}/node.key.pem`);
    expect(warnings).toEqual([]);
    expect(notices).toEqual([
      "api-server.port is not looked at, since api-server.port-http is set",
      "api-server.port-kademlia is taken as peers-discovery.port",
      `tls.certificate-path is not in the working directory: ${dataDir}/node.certificate.pem is used`,
      `tls.key-path is not in the working directory: ${dataDir}/node.key.pem is used`,
    ]);
  });

  test("its settings can also be given by variables and options", () => {
    expect(read("api-server.port = 5").config["api-server.port-http"]).toBe(5);
    expect(read("api-server { port = 5 }\napi-server { port-http = 6 }").config["api-server.port-http"]).toBe(6);
    const given = { VEDETTE_API_SERVER_PORT_HTTP: "7" };
    expect(read("api-server.port = 5", undefined, given).config["api-server.port-http"]).toBe(7);
    const faults = faultsOf("api-server.port = many");
    expect(faults).toEqual(['rnode.conf:1:19: api-server.port-http: must be a port from 0 to 65535, not "many"']);
    const option = new Map([["tls.key-path", "here.pem"]] as const);
    expect(read("", option).config["tls.key-path"]).toBe("here.pem");
    expect(read('tls.key-path = "/etc/key.pem"').config["tls.key-path"]).toBe("/etc/key.pem");
    // A file that is there is meant.
    expect(read('tls.key-path = "package.json"').config["tls.key-path"]).toBe("package.json");
  });

  test("the deployed one", () => {
    const { config, warnings } = read(deployedObserver);
    expect(warnings).toEqual([]);
    expect(config["casper.fault-tolerance-threshold"]).toBe(Math.fround(0.99));
    expect(config["casper.fork-choice-check-if-stale-interval"]).toBe(180_000);
    expect(config["casper.genesis-ceremony.ceremony-master-mode"]).toBe(false);
    expect(config["protocol-client.network-id"]).toBe("devnet1");
  });
});

describe("faults", () => {
  test("all are reported at once, each with its key and place", () => {
    const text =
      "api-server {\n  port-http = many\n  max-blocks-limit = -1\n}\ncasper.shard-name = []\nstandalone = yes\nprotocol-client.bootstrap = here\ncasper.min-phlo-price = -1";
    expect(faultsOf(text)).toEqual([
      'rnode.conf:6:14: standalone: must be true or false, not "yes"',
      'rnode.conf:7:29: protocol-client.bootstrap: must be a node\'s address, as rnode://<40 hexadecimal digits>@<host>?protocol=<port>&discovery=<port>, not "here"',
      'rnode.conf:2:15: api-server.port-http: must be a port from 0 to 65535, not "many"',
      "rnode.conf:3:22: api-server.max-blocks-limit: must be at least 0, not -1",
      "rnode.conf:5:21: casper.shard-name: must be a text, not a list",
      'rnode.conf:8:25: casper.min-phlo-price: must be a whole number of 64 bits, with a unit as 256K where it is a size in a file, not "-1"',
    ]);
  });

  test("unknown keys are named in warnings, at the top level too", () => {
    const { warnings } = read("foo = 1\nautopropos = true\ncasper-x {}");
    expect(warnings.map((warning) => warning.slice(warning.indexOf("rnode.conf")))).toEqual([
      "rnode.conf:1:7: foo: there is no such key",
      "rnode.conf:2:14: autopropos: there is no such key; did you mean autopropose?",
      "rnode.conf:3:10: casper-x: there is no such key; did you mean casper?",
    ]);
    expect(read("casper { shard-nam = x, deep { er = 1 } }").warnings).toHaveLength(2);
  });

  test("a section with a plain value is one fault, not one for every key in it", () => {
    expect(faultsOf("casper = 5\nmetrics { prometheus { a = 1 } }")).toEqual([
      "rnode.conf:1:10: casper: must be a section with keys of its own",
      "rnode.conf:2:22: metrics.prometheus: must be true or false, not a section",
    ]);
  });

  test("null is no value", () => {
    expect(faultsOf("casper.shard-name = null")).toEqual(["rnode.conf:1:21: casper.shard-name: needs a value, a text"]);
    expect(read("casper.max-parent-depth = null").config["casper.max-parent-depth"]).toBeUndefined();
  });

  test("options and variables are named as what they are", () => {
    expect(faultsOf("", new Map([["protocol-client.network-timeout", "5"]]))).toEqual([
      'option --network-timeout: protocol-client.network-timeout: must be a length of time with its unit, as "20 seconds", not "5"',
    ]);
    expect(faultsOf("", new Map([["casper.min-phlo-price", "1K"]]))[0]).toMatch(/^option --min-phlo-price: /);
    expect(faultsOf("", undefined, { VEDETTE_STANDALONE: "maybe" })).toEqual([
      'environment variable VEDETTE_STANDALONE: standalone: must be true or false, not "maybe"',
    ]);
  });

  test("a misspelt variable is guessed, others are left alone", () => {
    const environment = { VEDETTE_API_SERVER_PORT_HTPT: "1", VEDETTE_SHARED: "/x", OTHER: "1" };
    expect(read("", undefined, environment).warnings).toEqual([
      "environment variable VEDETTE_API_SERVER_PORT_HTPT sets no key; did you mean VEDETTE_API_SERVER_PORT_HTTP?",
    ]);
  });

  test("the value of a secret is never shown", () => {
    const secret = "67e56582298859ddae725f972992a07c6c4fb9f62a8fff58ce3ca926a1063530";
    const [fault] = faultsOf(`casper.validator-private-key = [${secret}]`);
    expect(fault).toMatch(
      /casper\.validator-private-key: must be a private key: 64 hexadecimal digits, not something else$/,
    );
    expect(fault).not.toContain(secret);
  });

  test("more signatures than keys", () => {
    expect(faultsOf("casper.genesis-block-data.pos-multi-sig-quorum = 4")).toEqual([
      "defaults.conf: The value 'pos-multi-sig-quorum' should be less or equal the length of 'pos-multi-sig-public-keys' (the actual values are '4' and '3' respectively)",
    ]);
  });

  test("substitutions without end", () => {
    const chain = Array.from({ length: 15_000 }, (_, index) => `casper.a${index} = \${casper.a${index + 1}}`).join(
      "\n",
    );
    expect(faultsOf(chain)[0]).toMatch(/: the substitutions refer to each other too deeply$/);
    expect(faultsOf("casper.shard-name = ${casper.shard-name}${casper.shard-name}")).toEqual([]);
  });
});

test("the deployer's key counts in dev mode alone", () => {
  const text = "dev.deployer-private-key = abc";
  expect(read(text).config["dev.deployer-private-key"]).toBeUndefined();
  expect(read(text).notices).toEqual(["Node is not in dev mode, ignoring --deployer-private-key"]);
  expect(read(`${text}\ndev-mode = true`).config["dev.deployer-private-key"]).toBe("abc");
});

test("every key has its own variable and option, and states its purpose", () => {
  expect(new Set(keyNames.map(variableOf)).size).toBe(keyNames.length);
  const options = keyNames.map(longOptionOf).filter((option) => option !== undefined);
  expect(new Set(options).size).toBe(options.length);
  const short = keyNames
    .map((name) => /^(-\w),/.exec(keyOf(name).option ?? "")?.[1])
    .filter((one) => one !== undefined);
  expect(new Set(short).size).toBe(short.length);
  for (const name of keyNames) expect(keyOf(name).doc).toMatch(/^[a-zA-Z].*[^.]$/);
});

test("a misspelt key finds the one that was meant", () => {
  expect(suggestKey("casper.shard-nmae")).toBe("casper.shard-name");
  expect(suggestKey("protocol_client.bootstrap")).toBe("protocol-client.bootstrap");
  expect(suggestKey("something.else.entirely")).toBeUndefined();
  expect(suggestKey("casper.genesis-block-data.epoch-lenght")).toBe("casper.genesis-block-data.epoch-length");
  expect(suggestKey("api-server.bootstrap")).toBe("protocol-client.bootstrap");
  expect(suggestKey("shard-name")).toBe("casper.shard-name");
  expect(suggestKey("peers-discovery.host")).toBe("protocol-server.host");
});

describe("a configuration that cannot be meant so", () => {
  test("is refused where a file was named that is not there", () => {
    const configFile = join(folder, "typo.conf");
    expect(() => readConfig({ home: folder, configFile, environment: {} })).toThrow(`there is no file ${configFile}`);
    expect(readConfig({ home: folder, configFile: false, environment: {} }).file).toBeUndefined();
  });

  test.each([
    ["protocol-server.network-id", '""'],
    ["protocol-server.network-id", '"  "'],
    ["protocol-client.network-id", '""'],
    ["protocol-server.host", '"not a host"'],
    ["protocol-server.listen-address", '"127.0.0.1:40400"'],
    ["api-server.host", '""'],
    ["api-server.host-admin-http", '"http://127.0.0.1"'],
    ["api-server.hosts", '["https://node.example"]'],
    ["api-server.admin-hosts", '["node.example:40405"]'],
    ["api-server.explorer-validator", '"localhost:40403"'],
    ["api-server.limits.shared-counter-urls", '"nats://a:4222, b"'],
    ["casper.validator-private-key", '"0123"'],
    ["index.postgres.url", '"localhost:5432/chain"'],
    ["index.postgres.url", '"http://user:secret@db.example/chain"'],
    ["index.postgres.url", '""'],
    ["index.postgres.schema", '""'],
  ])("is refused where %s is %s", (key, value) => {
    const faults = faultsOf(`${key} = ${value}`);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(`${key}: must be `);
    expect(faults[0]).not.toMatch(/secret|0123/);
  });

  test.each([
    ["protocol-server.host", '"node-1.example."'],
    ["protocol-server.listen-address", '"::1"'],
    ["api-server.hosts", '["node.example", "192.0.2.1", "*"]'],
    ["api-server.explorer-validator", '""'],
    ["api-server.explorer-validator", '"https://validator.example"'],
    ["api-server.limits.shared-counter-urls", '"nats://a:4222, tls://b:4222"'],
    ["index.postgres.url", '"postgres://user:pass%20word@db.example:5432/chain?sslmode=require"'],
    ["index.postgres.url", '"postgresql:///chain?host=/var/run/postgresql"'],
    ["casper.validator-private-key", `"${"ab".repeat(32)}"`],
  ])("but not where %s is %s", (key, value) => {
    expect(faultsOf(`${key} = ${value}`)).toEqual([]);
  });

  test("is refused where API keys are required and no file has them", () => {
    expect(faultsOf("api-server.keys.required = true").join()).toContain("api-server.keys.required");
  });
});

describe("names of earlier versions", () => {
  test("a file may use the former name of a key, without a remark", () => {
    const { config, warnings, notices } = read("storage.history = finalized\napi-server.limits.requests-at-once = 7");
    expect(config["storage.state-retention"]).toBe("finalized");
    expect(config["api-server.limits.request-burst"]).toBe(7);
    expect([warnings, notices]).toEqual([[], []]);
  });

  test("the present name wins over the former one", () => {
    const { config, notices } = read("sync.verify-after = 5m\nsync.verify-delay = 1m");
    expect(config["sync.verify-delay"]).toBe(60_000);
    expect(notices).toEqual(["sync.verify-after is not looked at, since sync.verify-delay is set"]);
    const environment = { VEDETTE_SYNC_VERIFY_AFTER: "5m", VEDETTE_SYNC_VERIFY_DELAY: "2m" };
    expect(read("", undefined, environment).config["sync.verify-delay"]).toBe(120_000);
  });

  test("a former name that comes with a substitution is not read, and a warning reports it", () => {
    const { config, warnings } = read("sync { verify-after = 5m }\nsync = ${other}\nother { parallel = 2 }");
    expect(config["sync.verify-delay"]).toBe(300_000);
    expect(config["sync.verify-parallelism"]).toBe(read("").config["sync.verify-parallelism"]);
    expect(warnings).toHaveLength(2);
    expect(warnings[1]).toContain("sync.parallel: is not read from a substitution under this earlier name");
  });

  test.each([...formerNames])("the variable of %s sets %s", (former, name) => {
    const values: Readonly<Record<string, string>> = { flag: "true", int: "1200", long: "5000", duration: "9s" };
    const text = { "storage.state-retention": "finalized", "sync.verify-parallelism": "3" }[name as string];
    const value = text ?? values[keyOf(name).type] ?? "nats://a:4222";
    const set = (variable: string) => read("", undefined, { [variable]: value });
    expect(set(variableOf(former)).config[name]).toEqual(set(variableOf(name)).config[name]);
    expect(set(variableOf(former)).config[name]).not.toEqual(
      read("").config[name === "casper.genesis-block-data.equivocation-evidence" ? "standalone" : name],
    );
    expect(set(variableOf(former)).warnings).toEqual([]);
  });

  test.each([
    ["rnode-scala", "rnode"],
    ["rnode-rust", "f1r3node"],
  ])("the dialect %s is %s, with its defaults", (former, name) => {
    const { config } = read(`dialect = ${former}`);
    expect(config.dialect).toBe(name);
    expect(config["casper.max-number-of-parents"]).toBe(
      read(`dialect = ${name}`).config["casper.max-number-of-parents"],
    );
  });
});
