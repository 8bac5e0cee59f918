import { readConfig } from "@vedette/config";
import { expect, test } from "vitest";
import { dialectOf } from "../dialect/dialectOf.js";
import { proposeSettingsOf } from "./proposeSettings.js";

function settingsOf(environment: Readonly<Record<string, string>>) {
  const { config } = readConfig({ home: "/home", configFile: false, environment });
  return proposeSettingsOf(config, dialectOf(config));
}

test("on an f1r3node network a validator keeps to that node's defaults", () => {
  const { heartbeat, constraints, maxUserDeploys } = settingsOf({ VEDETTE_DIALECT: "f1r3node" });
  expect(heartbeat).toEqual({
    ...{ checkIntervalMs: 5_000, maximumLfbAgeMs: 5_000, wakesOnDeploy: true },
    caps: {
      ...{ selfProposeCooldownMs: 3_000, staleRecoveryMinIntervalMs: 3_000 },
      ...{ finalityProgressTimeoutMs: 30_000, deployFinalizationGraceMs: 25_000 },
      ...{ frontierChaseMaxLag: 20, pendingDeployMaxLag: 20, deployRecoveryMaxLag: 64 },
      emptyFrontierMaxUnfinalizedBlocks: 64,
    },
  });
  expect(constraints.recovery).toEqual({
    ...{ stallWindowMs: 60_000, cooldownMs: 20_000, maxBypasses: 2 },
    ...{ countsFromFinalized: true, maxFinalizedDistance: 2048n },
  });
  expect(maxUserDeploys).toBe(128);
});

test("it has a heartbeat there, which can be switched off", () => {
  const off = { VEDETTE_DIALECT: "f1r3node", VEDETTE_CASPER_HEARTBEAT_ENABLED: "false" };
  expect(settingsOf(off).heartbeat).toBeUndefined();
  expect(settingsOf({}).heartbeat).toBeUndefined();
});

test("on one of rnode there are no caps, and no validator passes the synchrony constraint by waiting", () => {
  const { heartbeat, constraints } = settingsOf({ VEDETTE_CASPER_HEARTBEAT_ENABLED: "true" });
  expect(heartbeat).toMatchObject({ checkIntervalMs: 30_000, maximumLfbAgeMs: 60_000, caps: undefined });
  expect(constraints.recovery).toMatchObject({ maxBypasses: 0, countsFromFinalized: false });
});

test("what is configured is obeyed", () => {
  const { heartbeat, maxUserDeploys } = settingsOf({
    VEDETTE_DIALECT: "f1r3node",
    VEDETTE_CASPER_HEARTBEAT_SELF_PROPOSE_COOLDOWN: "7 seconds",
    VEDETTE_CASPER_HEARTBEAT_ADVANCED_PENDING_DEPLOY_MAX_LAG: "5",
    VEDETTE_CASPER_MAX_USER_DEPLOYS_PER_BLOCK: "9",
  });
  expect(heartbeat?.caps).toMatchObject({ selfProposeCooldownMs: 7_000, pendingDeployMaxLag: 5 });
  expect(maxUserDeploys).toBe(9);
});
