import { join } from "node:path";
import type { KeyName } from "@vedette/config";
import { blake2b256, isSecp256k1PrivateKey, toHex } from "@vedette/crypto";
import { bootstrapOf, localHost, type NetworkPlan, type NodePlan, requiredSignatures } from "./planNetwork.js";

/** The random parts of a network, made once. */
export interface NetworkIdentity {
  readonly networkId: string;
  /** Hexadecimal, by the node's name. */
  readonly nodeIds: Readonly<Record<string, string>>;
  /** Public keys of the genesis validators, hexadecimal, by the node's name. */
  readonly validatorKeys: Readonly<Record<string, string>>;
}

type Value = string | number | boolean | readonly string[];
/** An `undefined` value is not written. */
type Values = Readonly<Partial<Record<KeyName, Value | undefined>>>;

/** File in a validator's data directory with its private key as hexadecimal text. @spec 10 §1.6 */
export const validatorKeyFile = "validator.key";
/** Name of a node's certificate and key, both in its data directory. @spec 50 §5.3 */
export const identityFiles = { certificate: "node.certificate.pem", key: "node.key.pem" } as const;

/** The beginning of every configuration file that is written here. */
export const configMark = "# Written anew at every start of the local network";

/** On a host of its own a node's APIs are for others, too. */
const allAddresses = "0.0.0.0";

/** The `rnode.conf` of one node. @spec 50 §5.2, §5.3 */
export function configText(plan: NetworkPlan, node: NodePlan, identity: NetworkIdentity, more: Values = {}): string {
  const values: Values = {
    ...networkValues(plan, node, identity),
    ...casperValues(plan, node, identity),
  };
  if (node.role === "validator") Object.assign(values, validatorValues(plan, node));
  if (isLone(plan) && node.isGenesisValidator) Object.assign(values, rhythmValues(identity));
  return printConfig(node.name, Object.assign(values, more));
}

/** Prints a configuration file. @param name of its node */
export function printConfig(name: string, values: Values): string {
  const lines = Object.entries(values).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key} = ${printValue(value)}`],
  );
  return [`${configMark}: ${name}`, ...lines, ""].join("\n");
}

function networkValues(plan: NetworkPlan, node: NodePlan, identity: NetworkIdentity): Values {
  const { ports } = node;
  const first = bootstrapOf(plan);
  const nodeId = identity.nodeIds[first.name] ?? "";
  const { protocol, discovery } = first.ports;
  const address = `rnode://${nodeId}@${first.host}?protocol=${protocol}&discovery=${discovery}`;
  return {
    standalone: node.isBootstrap,
    dialect: plan.settings.dialect,
    "storage.data-dir": node.directory,
    "protocol-server.network-id": identity.networkId,
    "protocol-server.host": node.host,
    "protocol-server.listen-address": node.host === localHost ? localHost : undefined,
    "protocol-server.allow-private-addresses": true,
    "protocol-server.no-upnp": true,
    "protocol-server.port": ports.protocol,
    "protocol-client.bootstrap": node.isBootstrap ? undefined : address,
    // The observer re-executes every block, as the published one does.
    "protocol-client.disable-lfs": node.role === "observer",
    "peers-discovery.port": ports.discovery,
    "peers-discovery.lookup-interval": "2 seconds",
    // Nodes that were killed are noticed soon.
    "peers-discovery.cleanup-interval": "30 seconds",
    "api-server.host": node.host === localHost ? localHost : allAddresses,
    "api-server.port-grpc-external": ports.grpcExternal,
    "api-server.port-grpc-internal": ports.grpcInternal,
    "api-server.port-http": ports.http,
    "api-server.port-admin-http": ports.adminHttp,
    // Its explorer finds transfers, accounts and words of programs.
    "index.enabled": node.role === "observer" ? true : undefined,
    ...deployTakerValues(plan, node),
  };
}

/** An observer takes no deploys; those of its explorer go to the first validator. */
function deployTakerValues(plan: NetworkPlan, node: NodePlan): Values {
  const validator = plan.nodes.find(({ role }) => role === "validator");
  if (node.role === "validator" || node.host !== localHost || validator === undefined) return {};
  return { "api-server.explorer-validator": `http://${localHost}:${validator.ports.http}` };
}

function casperValues(plan: NetworkPlan, node: NodePlan, identity: NetworkIdentity): Values {
  const { settings } = plan;
  const keys = Object.values(identity.validatorKeys);
  return {
    "casper.shard-name": "root",
    "casper.fault-tolerance-threshold": settings.faultTolerance,
    "casper.max-number-of-parents": settings.parents,
    "casper.synchrony-constraint-threshold": settings.synchrony,
    // A node that has missed blocks while it was down requests them soon.
    "casper.casper-loop-interval": "5 seconds",
    "casper.fork-choice-stale-threshold": "20 seconds",
    "casper.fork-choice-check-if-stale-interval": "10 seconds",
    "casper.genesis-block-data.genesis-data-dir": join(plan.directory, "genesis"),
    "casper.genesis-block-data.bonds-file": plan.bondsFile,
    "casper.genesis-block-data.wallets-file": plan.walletsFile,
    "casper.genesis-block-data.epoch-length": settings.epochLength,
    "casper.genesis-block-data.quarantine-length": settings.quarantineLength,
    "casper.genesis-block-data.equivocation-evidence": settings.judgeBy === "evidence",
    "casper.genesis-block-data.pos-multi-sig-public-keys": keys,
    "casper.genesis-block-data.pos-multi-sig-quorum": Math.ceil((keys.length * 2) / 3),
    "casper.genesis-ceremony.required-signatures": requiredSignatures(settings),
    "casper.genesis-ceremony.approve-interval": "2 seconds",
    "casper.genesis-ceremony.approve-duration": "30 seconds",
    "casper.genesis-ceremony.ceremony-master-mode": node.isBootstrap,
    "casper.genesis-ceremony.genesis-validator-mode": node.isGenesisValidator && !node.isBootstrap,
  };
}

function validatorValues({ settings }: NetworkPlan, node: NodePlan): Values {
  return {
    "casper.validator-private-key-path": join(node.directory, validatorKeyFile),
    // The validator of the next block includes relayed deploys. With several parents, two blocks could have one deploy.
    "casper.relay-deploys": settings.parents === 1,
    "casper.heartbeat.enabled": true,
    // Validators take turns, so that each waits for the others' turns.
    "casper.heartbeat.check-interval": `${settings.rhythmMs * settings.validators} ms`,
    "casper.heartbeat.max-lfb-age": `${Math.min(settings.rhythmMs, 1_000)} ms`,
    // The requested rhythm, not that of a public network.
    "casper.heartbeat.self-propose-cooldown": `${settings.rhythmMs} ms`,
    // The last block is a little younger than the rhythm when the next turn comes: that one is not to be missed.
    "casper.heartbeat.stale-recovery-min-interval": `${Math.floor(settings.rhythmMs / 2)} ms`,
  };
}

/** Whether the network has a single validator. */
export function isLone({ settings }: NetworkPlan): boolean {
  return settings.validators === 1;
}

/**
 * Settings for a single validator. A block without deploys has to build on another validator's block (40 §5.4, check
 * 10), so a single validator adds a deploy to each block.
 */
function rhythmValues({ networkId }: NetworkIdentity): Values {
  return { "dev-mode": true, "dev.deployer-private-key": toHex(rhythmKey(networkId)) };
}

/** The key of a lone validator's own deploys, which genesis gives coins to; the same at every start. */
export function rhythmKey(networkId: string): Uint8Array {
  for (let attempt = 0; ; attempt++) {
    const key = blake2b256(new TextEncoder().encode(`${networkId}: deploys of a lone validator, ${attempt}`));
    if (isSecp256k1PrivateKey(key)) return key;
  }
}

/** JSON is a part of HOCON. */
function printValue(value: Value): string {
  return JSON.stringify(value);
}
