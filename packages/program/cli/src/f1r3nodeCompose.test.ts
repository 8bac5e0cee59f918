import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Config, type ConfigSources, explainConfig, namesBootstrap } from "@vedette/config";
import { afterAll, describe, expect, test } from "vitest";
import { optionsBehindCommand } from "./optionsBehindCommand.js";
import { configSourcesOf, withoutJavaArguments } from "./runOptions.js";
import { vedetteProgram } from "./vedetteProgram.js";

// The files of an f1r3node network: compose files with command lines, and files that are mounted.
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

/** Those of f1r3node's `run`. */
const options = `
  allow-private-addresses api-enable-reporting api-exploratory-deploy-execution-timeout
  api-exploratory-deploy-max-concurrent api-exploratory-deploy-phlo-limit api-grpc-max-recv-message-size
  api-host api-keep-alive-time api-keep-alive-timeout api-max-blocks-limit api-max-connection-age
  api-max-connection-age-grace api-port-admin-http api-port-grpc-external api-port-grpc-internal api-port-http
  api-request-timeout api-tcp-keepalive-time approve-duration approve-interval autogen-shard-size autopropose
  bond-maximum bond-minimum bonds-file bootstrap casper-loop-interval ceremony-master-mode config-file
  data-dir deploy-timestamp deployer-private-key dev-mode disable-lfs disable-mergeable-channel-gc
  disable-state-exporter discovery-cleanup-interval discovery-heartbeat-batch-size
  discovery-heartbeat-failure-threshold discovery-init-wait-loop-interval discovery-lookup-interval
  discovery-port dynamic-ip enable-mergeable-channel-gc epoch-length fault-tolerance-threshold
  finalization-rate fork-choice-check-if-stale-interval fork-choice-stale-threshold
  frrd-drop-peer-after-retries frrd-give-up-after-skipped frrd-max-peer-queue-size genesis-block-number
  genesis-validator heartbeat-advanced-deploy-recovery-max-lag
  heartbeat-advanced-empty-frontier-max-unfinalized-blocks heartbeat-advanced-frontier-chase-max-lag
  heartbeat-advanced-pending-deploy-max-lag heartbeat-check-interval heartbeat-deploy-finalization-grace
  heartbeat-disabled heartbeat-enabled heartbeat-max-lfb-age heartbeat-self-propose-cooldown
  heartbeat-stale-recovery-min-interval height-constraint-threshold host influxdb influxdb-udp
  max-number-of-parents max-parent-depth max-user-deploys-per-block min-phlo-price native-token-decimals
  native-token-name native-token-symbol network-id network-timeout no-upnp number-of-active-validators
  prometheus protocol-grpc-max-recv-message-size protocol-grpc-max-recv-stream-message-size
  protocol-grpc-stream-chunk-size protocol-max-connections protocol-max-message-consumers protocol-port
  quarantine-length requested-blocks-timeout required-signatures shard-name sigar standalone
  synchrony-constraint-threshold synchrony-finalized-baseline-enabled
  synchrony-finalized-baseline-max-distance thread-pool-size tls-certificate-path tls-key-path
  use-random-ports validator-private-key validator-private-key-path validator-public-key wallets-file zipkin
`;

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
): { readonly config: Config; readonly messages: readonly string[] } {
  const program = vedetteProgram();
  let sources: ConfigSources | undefined;
  const run = program.commands.find((one) => one.name() === "run")!;
  run.exitOverride().action((options) => {
    sources = configSourcesOf(options);
  });
  const args = optionsBehindCommand(withoutJavaArguments(["--profile=docker", "run", ...command]), program);
  program.parse(args, { from: "user" });
  const explained = explainConfig({
    ...sources!,
    configFile: join(folder, "conf", conf),
    environment: { VEDETTE_DIALECT: "f1r3node", OPENAI_ENABLED: "false" },
  });
  expect(explained.problems).toEqual([]);
  return { config: explained.config!, messages: [...explained.warnings.map(String), ...explained.notices] };
}

/** Returns the settings that decide a node's role. */
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

describe("a node of an f1r3node node's compose files starts as what it is there", () => {
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
    const { config, messages } = started(conf, command);
    expect(messages).toEqual([]);
    expect(roleOf(config)).toEqual(role);
    expect(config["storage.data-dir"]).toBe("/var/lib/rnode");
    expect(config["casper.genesis-block-data.bonds-file"]).toBe("/var/lib/rnode/genesis/bonds.txt");
    expect(config["casper.synchrony-constraint-threshold"]).toBe(0);
  });

  test("with each of its options", () => {
    const run = vedetteProgram().commands.find((one) => one.name() === "run")!;
    const known = new Set(run.options.map(({ long }) => long));
    const names = options.trim().split(/\s+/);
    expect(names.length).toBeGreaterThan(100);
    expect(names.filter((name) => !known.has(`--${name}`))).toEqual([]);
    const { config } = started("default.conf", [
      ...["--synchrony-finalized-baseline-enabled=false", "--thread-pool-size=4"],
    ]);
    expect(config["casper.synchrony-finalized-baseline-enabled"]).toBe(false);
  });

  test("with f1r3node's name of the option for the file, and its options for the heartbeat", () => {
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
