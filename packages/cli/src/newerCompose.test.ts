import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Config, type ConfigSources, explainConfig, namesBootstrap } from "@vedette/config";
import { afterAll, describe, expect, test } from "vitest";
import { configSourcesOf, withoutJavaArguments, withProfileBehindCommand } from "./runOptions.js";
import { vedetteProgram } from "./vedetteProgram.js";

// What a network of the newer node is made of: compose files with command lines, and files that are mounted.
const folder = mkdtempSync(join(tmpdir(), "vedette-compose-"));
afterAll(() => rmSync(folder, { recursive: true }));
mkdirSync(join(folder, "conf"));
writeFileSync(
  join(folder, "conf", "default.conf"),
  `protocol-server { allow-private-addresses = true, no-upnp = true }
casper {
  fault-tolerance-threshold = 0.1
  casper-loop-interval = 750 ms
  requested-blocks-timeout = 5 seconds
  fork-choice-stale-threshold = 1 minutes
  fork-choice-check-if-stale-interval = 20 seconds
  max-number-of-parents = 100
  enable-mergeable-channel-gc = true
  heartbeat { enabled = true }
  genesis-ceremony { required-signatures = 2, approve-interval = 10 seconds, approve-duration = 1 minutes }
  genesis-block-data { number-of-active-validators = 10000, epoch-length = 10, quarantine-length = 10 }
}
metrics { prometheus = true }
`,
);
writeFileSync(
  join(folder, "conf", "bootstrap.conf"),
  'include "default.conf"\n\ncasper.genesis-ceremony.ceremony-master-mode = true\n',
);
writeFileSync(
  join(folder, "conf", "standalone-dev.conf"),
  `standalone = true
dev-mode = true
protocol-server { network-id = "standalone-dev", allow-private-addresses = true, no-upnp = true }
casper {
  fault-tolerance-threshold = 0.0
  heartbeat { enabled = true, check-interval = 5 seconds, max-lfb-age = 10 seconds }
  genesis-ceremony { autogen-shard-size = 1, ceremony-master-mode = true }
  genesis-block-data { number-of-active-validators = 1, pos-multi-sig-quorum = 1 }
}
`,
);

const privateKey = "ab".repeat(32);
const publicKey = `04${"cd".repeat(64)}`;
const bootstrap = `--bootstrap=rnode://${"1e".repeat(20)}@boot?protocol=40400&discovery=40404`;
const token = ["--native-token-name=Coin", "--native-token-symbol=C", "--native-token-decimals=8"];
const common = ["--allow-private-addresses", bootstrap];
const asValidator = [`--validator-public-key=${publicKey}`, `--validator-private-key=${privateKey}`];

/** The configuration of a container: the image's own arguments, then the command of the compose file. */
function started(
  conf: string,
  command: readonly string[],
): { readonly config: Config; readonly told: readonly string[] } {
  const program = vedetteProgram();
  let sources: ConfigSources | undefined;
  const run = program.commands.find((one) => one.name() === "run")!;
  run.exitOverride().action((options) => {
    sources = configSourcesOf(options);
  });
  const args = withProfileBehindCommand(withoutJavaArguments(["--profile=docker", "run", ...command]), program);
  program.parse(args, { from: "user" });
  const explained = explainConfig({
    ...sources!,
    configFile: join(folder, "conf", conf),
    environment: { VEDETTE_DIALECT: "rnode-rust", OPENAI_ENABLED: "false" },
  });
  expect(explained.problems).toEqual([]);
  return { config: explained.config!, told: [...explained.warnings.map(String), ...explained.notices] };
}

/** What decides a node's role. */
function roleOf(config: Config) {
  return {
    isFirst: config.standalone || !namesBootstrap(config),
    isMaster: config["casper.genesis-ceremony.ceremony-master-mode"],
    isGenesisValidator: config["casper.genesis-ceremony.genesis-validator-mode"],
    hasKey: config["casper.validator-private-key"] === privateKey,
    beats: config["casper.heartbeat.enabled"],
  };
}

const joining = { isFirst: false, isMaster: false, isGenesisValidator: false, hasKey: false, beats: true };

describe("a node of a newer node's compose files starts as what it is there", () => {
  test.each([
    [
      "the bootstrap, by options",
      "default.conf",
      [
        ...["--host=boot", ...common, `--validator-private-key=${privateKey}`, "--required-signatures", "2"],
        ...["--ceremony-master-mode", "--heartbeat-disabled", ...token],
      ],
      { ...joining, isMaster: true, hasKey: true, beats: false },
    ],
    [
      "the bootstrap, by its file",
      "bootstrap.conf",
      ["--host=boot", ...common, `--validator-private-key=${privateKey}`],
      { ...joining, isMaster: true, hasKey: true },
    ],
    [
      "a genesis validator",
      "default.conf",
      ["--host=validator1", ...common, ...asValidator, "--genesis-validator", ...token],
      { ...joining, isGenesisValidator: true, hasKey: true },
    ],
    [
      "a validator that joins",
      "default.conf",
      ["--host=validator4", ...common, ...asValidator],
      { ...joining, hasKey: true },
    ],
    [
      "the observer",
      "default.conf",
      ["--host=readonly", ...common, "--no-upnp", "--heartbeat-disabled", ...token],
      { ...joining, beats: false },
    ],
    [
      "a node alone",
      "standalone-dev.conf",
      ["-s", "--host=standalone", `--validator-private-key=${privateKey}`, "--allow-private-addresses", ...token],
      { ...joining, isFirst: true, isMaster: true, hasKey: true },
    ],
  ])("%s", (_name, conf, command, role) => {
    const { config, told } = started(conf, command);
    expect(told).toEqual([]);
    expect(roleOf(config)).toEqual(role);
    expect(config["storage.data-dir"]).toBe("/var/lib/rnode");
    expect(config["casper.genesis-block-data.bonds-file"]).toBe("/var/lib/rnode/genesis/bonds.txt");
    expect(config["casper.synchrony-constraint-threshold"]).toBe(0);
  });

  test("with the newer node's name of the option for the file, and its options for the heartbeat", () => {
    const { config } = started("default.conf", [
      ...["--heartbeat-enabled", "--heartbeat-disabled", "--heartbeat-advanced-pending-deploy-max-lag=7"],
      ...["--max-user-deploys-per-block=5", "--disable-mergeable-channel-gc", "--config-file=elsewhere.conf"],
    ]);
    expect(config["casper.heartbeat.enabled"]).toBe(false);
    expect(config["casper.heartbeat.advanced.pending-deploy-max-lag"]).toBe(7);
    expect(config["casper.max-user-deploys-per-block"]).toBe(5);
    expect(config["casper.enable-mergeable-channel-gc"]).toBe(false);
  });
});
