import { homedir } from "node:os";
import { join } from "node:path";
import { type Config, type DialectName, type KeyName, readConfig } from "@vedette/config";
import { toHex } from "@vedette/crypto";
import type { DevAccounts } from "./devAccounts.js";
import { type DevPorts, devHost } from "./devPorts.js";

/** The parts of the configuration of a chain for development. */
export interface DevConfigParts {
  readonly directory: string;
  readonly accounts: DevAccounts;
  readonly ports: DevPorts;
  readonly isAutomatic: boolean;
  readonly shardName: string;
  readonly dialect: DialectName;
  /** The facts of the network with the state from which it begins, if that is of f1r3node. */
  readonly f1r3node?: F1r3nodeFacts | undefined;
}

/** The facts that the configuration must state as the state does. */
export interface F1r3nodeFacts {
  readonly tokenName: string;
  readonly tokenSymbol: string;
  readonly tokenDecimals: number;
  /** Blocks in an epoch. */
  readonly epochLength: number;
}

/** Name of the network, which no other node can join. */
const devNetworkId = "dev";

/** The time of genesis, so that the same seed makes the same chain: 2025-01-01. Unix milliseconds. */
const genesisTimestamp = 1_735_689_600_000n;

/** Where a chain's first wallets and bonds are written. */
export function genesisPaths(directory: string): { readonly bonds: string; readonly wallets: string } {
  return { bonds: join(directory, "bonds.txt"), wallets: join(directory, "wallets.txt") };
}

/** The node's configuration; neither a file nor the environment changes it. */
export function devConfig(parts: DevConfigParts): Config {
  const { directory, accounts, ports, isAutomatic, shardName, dialect, f1r3node } = parts;
  const paths = genesisPaths(directory);
  const values: Partial<Record<KeyName, string | boolean>> = {
    dialect,
    standalone: true,
    "dev-mode": true,
    autopropose: isAutomatic,
    "casper.heartbeat.enabled": false,
    "storage.data-dir": directory,
    "protocol-server.network-id": devNetworkId,
    "protocol-server.host": devHost,
    "protocol-server.allow-private-addresses": true,
    "protocol-server.no-upnp": true,
    "api-server.host": devHost,
    "api-server.host-admin-http": devHost,
    "api-server.port-grpc-external": String(ports.grpcExternal),
    "api-server.port-grpc-internal": String(ports.grpcInternal),
    "api-server.port-http": String(ports.http),
    "api-server.port-admin-http": String(ports.adminHttp),
    "api-server.enable-reporting": true,
    "index.enabled": true,
    "casper.shard-name": shardName,
    "casper.min-phlo-price": "1",
    "casper.validator-private-key": toHex(accounts.validator.privateKey),
    "casper.fault-tolerance-threshold": "0",
    "casper.genesis-ceremony.required-signatures": "0",
    "casper.genesis-block-data.genesis-data-dir": directory,
    "casper.genesis-block-data.bonds-file": paths.bonds,
    "casper.genesis-block-data.wallets-file": paths.wallets,
    "casper.genesis-block-data.deploy-timestamp": String(genesisTimestamp),
  };
  if (f1r3node !== undefined) {
    values["casper.genesis-block-data.native-token-name"] = f1r3node.tokenName;
    values["casper.genesis-block-data.native-token-symbol"] = f1r3node.tokenSymbol;
    values["casper.genesis-block-data.native-token-decimals"] = String(f1r3node.tokenDecimals);
    values["casper.genesis-block-data.epoch-length"] = String(f1r3node.epochLength);
  }
  const options = new Map(Object.entries(values) as [KeyName, string | boolean][]);
  // No file of this name is ever written, so that none is read.
  return readConfig({ home: homedir(), options, configFile: false, environment: {} }).config;
}
