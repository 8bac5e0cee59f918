import { apiKeys } from "./apiKeys.js";
import { consensusKeys } from "./consensusKeys.js";
import { genesisKeys } from "./genesisKeys.js";
import type { Key, KeyTypeOf } from "./Key.js";
import { limitKeys } from "./limitKeys.js";
import { proposingKeys } from "./proposingKeys.js";
import { protocolKeys } from "./protocolKeys.js";

/**
 * Every key of the configuration: from this table come the reader, the options of `run`, the
 * documentation and the hints for misspelt keys.
 *
 * @spec 50 §5.3
 */
export const keys = {
  standalone: {
    type: "flag",
    default: false,
    option: "-s, --standalone",
    doc: "start a new network without a bootstrap node",
  },
  autopropose: { type: "flag", default: false, option: "--autopropose", doc: "propose a block after every deploy" },
  "rspace-plus-plus": {
    type: "flag",
    default: false,
    option: "--rspace-plus-plus",
    doc: "accepted, without effect",
  },
  "dev-mode": {
    type: "flag",
    default: false,
    option: "--dev-mode",
    doc: "allow development features, for example exploratory deploys on a validator",
  },
  "dev.deployer-private-key": {
    type: "optionalText",
    option: "--deployer-private-key",
    isSecret: true,
    doc: "private key that signs filler deploys in dev mode",
  },
  dialect: {
    type: "dialect",
    default: "rnode",
    option: "--dialect",
    doc: "dialect of the network: rnode or f1r3node; a data directory holds one dialect",
  },
  "default-data-dir": {
    type: "text",
    doc: "data directory if storage.data-dir is not set; set by the profile",
  },

  ...protocolKeys,
  ...apiKeys,
  ...limitKeys,

  "storage.data-dir": {
    type: "path",
    default: { sameAs: "default-data-dir" },
    option: "--data-dir",
    doc: "data directory of the node",
  },
  "storage.state-retention": {
    type: "stateHistory",
    default: "archive",
    option: "--history",
    doc: "states to keep: archive (all), a number of heights below the last final block, or finalized (the minimum); others are deleted, blocks stay",
  },
  "storage.low-water-mark": {
    type: "optionalLong",
    min: 1,
    doc: "free disk space below which the node stops writing and only serves reads, in bytes or as 500 MB, 2 GiB; default: the smaller of 1 GB and 5 % of the disk",
  },
  "sync.verify-history": {
    type: "flag",
    default: true,
    doc: "after a start at the last finalized state, verify all earlier blocks in the background (folder proof of the data directory)",
  },
  "sync.verify-parallelism": {
    type: "workers",
    default: "auto",
    doc: "threads that verify parts of the history concurrently: auto (one per core, at most four) or a number; each needs about 250 MB",
  },
  "sync.verify-delay": {
    type: "duration",
    default: "1 minute",
    min: 0,
    max: 31_536_000_000,
    doc: "time that the node follows its network before it verifies the history",
  },
  "tls.certificate-path": {
    type: "path",
    default: { sameAs: "storage.data-dir", followedBy: "/node.certificate.pem" },
    option: "--tls-certificate-path",
    doc: "certificate of the node",
  },
  "tls.key-path": {
    type: "path",
    default: { sameAs: "storage.data-dir", followedBy: "/node.key.pem" },
    option: "-k, --tls-key-path",
    doc: "private key of the node's certificate",
  },
  "tls.secure-random-non-blocking": {
    type: "flag",
    default: false,
    option: "--tls-secure-random-non-blocking",
    doc: "accepted, without effect",
  },
  "tls.custom-certificate-location": {
    type: "flag",
    default: false,
    doc: "use the existing certificate and never generate one",
  },
  "tls.custom-key-location": { type: "flag", default: false, doc: "accepted, without effect" },

  ...consensusKeys,
  ...genesisKeys,
  ...proposingKeys,

  "metrics.prometheus": {
    type: "flag",
    default: false,
    option: "--prometheus",
    doc: "accepted, without effect: metrics are always served",
  },
  "metrics.influxdb": { type: "flag", default: false, option: "--influxdb", doc: "accepted, without effect" },
  "metrics.influxdb-udp": {
    type: "flag",
    default: false,
    option: "--influxdb-udp",
    doc: "accepted, without effect",
  },
  "metrics.zipkin": { type: "flag", default: false, option: "--zipkin", doc: "accepted, without effect" },
  "metrics.sigar": { type: "flag", default: false, option: "--sigar", doc: "accepted, without effect" },

  "index.enabled": {
    type: "flag",
    default: false,
    option: "--index",
    doc: "store the chain in tables, and serve GraphQL and SQL; costs about 42 MB of memory and 3 % of replay time",
  },
  "index.postgres.url": {
    type: "optionalText",
    form: "postgresUrl",
    isSecret: true,
    doc: "PostgreSQL database of the tables; a SQLite file in the data directory if absent",
  },
  "index.postgres.schema": {
    type: "text",
    form: "schema",
    default: "vedette",
    doc: "schema of the tables in PostgreSQL; of several nodes with the same schema, one writes and the others wait",
  },
  "index.partial": {
    type: "flag",
    default: false,
    doc: "serve GraphQL and SQL from tables without the beginning of the chain, too; responses report the first complete height",
  },
  "logging.level": {
    type: "logLevels",
    default: "info",
    option: "--log-level",
    doc: 'minimum log level, and levels of areas: "info,sync=debug,network=warn"',
  },

  "openai.enabled": {
    type: "flag",
    default: false,
    doc: "accepted, without effect: no external service is called",
  },
  "openai.api-key": {
    type: "text",
    default: "",
    isSecret: true,
    doc: "accepted, without effect: no external service is called",
  },
  "openai.validate-api-key": {
    type: "flag",
    default: true,
    doc: "accepted, without effect: no external service is called",
  },
  "openai.validation-timeout-sec": {
    type: "int",
    default: 15,
    min: 1,
    max: 86_400,
    doc: "accepted, without effect: no external service is called",
  },
  "ollama.enabled": {
    type: "flag",
    default: false,
    doc: "accepted, without effect: no external service is called",
  },
  "ollama.base-url": {
    type: "text",
    default: "http://localhost:11434",
    doc: "accepted, without effect: no external service is called",
  },
  "ollama.default-model": {
    type: "text",
    default: "llama4:latest",
    doc: "accepted, without effect: no external service is called",
  },
  "ollama.validate-connection": {
    type: "flag",
    default: true,
    doc: "accepted, without effect: no external service is called",
  },
  "ollama.timeout-sec": {
    type: "int",
    default: 30,
    min: 1,
    max: 86_400,
    doc: "accepted, without effect: no external service is called",
  },
} as const satisfies Record<string, Key>;

/** The name of a key. @spec 50 §5.3 */
export type KeyName = keyof typeof keys;

/** The value of every key. @spec 50 §5.3 */
export type Config = { readonly [K in KeyName]: KeyTypeOf[(typeof keys)[K]["type"]] };

/** The names of all keys, in the table's order. @spec 50 §5.3 */
export const keyNames = Object.keys(keys) as readonly KeyName[];

/** Returns the facts about a key, with the absent facts as `undefined`. @spec 50 §5.3 */
export function keyOf(name: KeyName): Key {
  return keys[name];
}

/** Finds a key by its name. @spec 50 §5.3 */
export function findKeyName(name: string): KeyName | undefined {
  return Object.hasOwn(keys, name) ? (name as KeyName) : undefined;
}

/** Whether the operator named a bootstrap node; the default address belongs to no node. @spec 50 §5.3 */
export function namesBootstrap(config: Config): boolean {
  return config["protocol-client.bootstrap"] !== keys["protocol-client.bootstrap"].default;
}

/** The long name of a key's option, without the dashes. @spec 50 §5.3 */
export function longOptionOf(name: KeyName): string | undefined {
  return /--(\S+)$/.exec(keyOf(name).option ?? "")?.[1];
}

/** The long name of the option that switches a flag off, without the dashes. @spec 61 §18.1 */
export function offOptionOf(name: KeyName): string | undefined {
  return keyOf(name).offOption?.slice("--".length);
}

/** The variable of the environment that sets a key: `VEDETTE_API_SERVER_PORT_HTTP`. @spec 50 §5.1 */
export function variableOf(name: string): string {
  return `VEDETTE_${name.replace(/[.-]/g, "_").toUpperCase()}`;
}
