import type { Key, KeyTypeOf } from "./Key.js";
import { limitKeys } from "./limitKeys.js";

const multiSigKeys = [
  "04db91a53a2b72fcdcb201031772da86edad1e4979eb6742928d27731b1771e0bc40c9e9c9fa6554bdec041a87cee423d6f2e09e9dfb408b78e85a4aa611aad20c",
  "042a736b30fffcc7d5a58bb9416f7e46180818c82b15542d0a7819d1a437aa7f4b6940c50db73a67bfc5f5ec5b5fa555d24ef8339b03edaa09c096de4ded6eae14",
  "047f0f0f5bbe1d6d1a8dac4d88a3957851940f39a57cd89d55fe25b536ab67e6d76fd3f365c83e5bfe11fe7117e549b1ae3dd39bfc867d1c725a4177692c4e7754",
];

const lag = { min: 0, max: 2_147_483_647 };

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

  "protocol-server.network-id": {
    type: "text",
    form: "name",
    default: "testnet",
    option: "--network-id",
    doc: "name of the network; nodes of other networks are refused",
  },
  "protocol-server.host": {
    type: "optionalText",
    form: "host",
    option: "--host",
    doc: "host name or address of this node for peers; guessed if absent",
  },
  "protocol-server.listen-address": {
    type: "optionalText",
    form: "host",
    doc: "listen address of the peer ports, for example 127.0.0.1; all addresses if absent",
  },
  "protocol-server.allow-private-addresses": {
    type: "flag",
    default: false,
    option: "--allow-private-addresses",
    doc: "accept private addresses for peers and for this node",
  },
  "protocol-server.use-random-ports": {
    type: "flag",
    default: false,
    option: "--use-random-ports",
    doc: "use a free port if a peer port is taken",
  },
  "protocol-server.dynamic-ip": {
    type: "flag",
    default: false,
    option: "--dynamic-ip",
    doc: "detect a changed external address while running",
  },
  "protocol-server.no-upnp": {
    type: "flag",
    default: false,
    option: "--no-upnp",
    doc: "do not open ports on the router",
  },
  "protocol-server.port": {
    type: "port",
    default: 40400,
    option: "-p, --protocol-port",
    doc: "port of the peer protocol (TLS)",
  },
  "protocol-server.grpc-max-recv-message-size": {
    type: "long",
    default: 262_144n,
    option: "--protocol-grpc-max-recv-message-size",
    alsoSets: "protocol-client.grpc-max-recv-message-size",
    min: 1,
    max: 2_147_483_647,
    doc: "maximum size of a message from a peer, in bytes",
  },
  "protocol-server.grpc-max-recv-stream-message-size": {
    type: "long",
    default: 268_435_456n,
    option: "--protocol-grpc-max-recv-stream-message-size",
    min: 1,
    max: 2_147_483_647,
    doc: "maximum size of a streamed message from a peer, in bytes",
  },
  "protocol-server.max-message-consumers": {
    type: "int",
    default: 400,
    option: "--protocol-max-message-consumers",
    min: 1,
    max: 100_000,
    doc: "maximum number of messages processed concurrently",
  },
  "protocol-server.disable-state-exporter": {
    type: "flag",
    default: false,
    option: "--disable-state-exporter",
    doc: "do not serve states to joining peers",
  },

  "protocol-client.network-id": {
    type: "text",
    form: "name",
    default: { sameAs: "protocol-server.network-id" },
    doc: "accepted, without effect: messages carry protocol-server.network-id",
  },
  "protocol-client.bootstrap": {
    type: "peer",
    default: "rnode://0000000000000000000000000000000000000000@127.0.0.1?protocol=40400&discovery=40404",
    option: "-b, --bootstrap",
    doc: "bootstrap node of the network",
  },
  "protocol-client.disable-lfs": {
    type: "flag",
    default: false,
    option: "--disable-lfs",
    doc: "replay the chain from genesis instead of fetching the last finalized state",
  },
  "protocol-client.batch-max-connections": {
    type: "int",
    default: 20,
    min: 0,
    option: "--protocol-max-connections",
    doc: "maximum number of connected peers",
  },
  "protocol-client.network-timeout": {
    type: "duration",
    default: "5 seconds",
    option: "--network-timeout",
    min: 1,
    max: 3_600_000,
    doc: "time limit of a response from a peer",
  },
  "protocol-client.grpc-max-recv-message-size": {
    type: "long",
    default: { sameAs: "protocol-server.grpc-max-recv-message-size" },
    min: 1,
    max: 2_147_483_647,
    doc: "maximum size of a response from a peer, in bytes",
  },
  "protocol-client.grpc-stream-chunk-size": {
    type: "long",
    default: 262_144n,
    option: "--protocol-grpc-stream-chunk-size",
    min: 1,
    max: 2_147_483_647,
    doc: "chunk size of large messages, in bytes",
  },

  "peers-discovery.port": {
    type: "port",
    default: 40404,
    option: "--discovery-port",
    doc: "port of peer discovery",
  },
  "peers-discovery.lookup-interval": {
    type: "duration",
    default: "20 seconds",
    option: "--discovery-lookup-interval",
    min: 1,
    max: 86_400_000,
    doc: "interval of the search for new peers",
  },
  "peers-discovery.cleanup-interval": {
    type: "duration",
    default: "20 minutes",
    option: "--discovery-cleanup-interval",
    min: 1,
    max: 86_400_000,
    doc: "interval of the removal of lost peers; 10 seconds with f1r3node",
  },
  "peers-discovery.heartbeat-batch-size": {
    type: "int",
    default: 100,
    option: "--discovery-heartbeat-batch-size",
    min: 1,
    max: 100_000,
    doc: "number of peers checked concurrently",
  },
  "peers-discovery.heartbeat-failure-threshold": {
    type: "int",
    default: 1,
    option: "--discovery-heartbeat-failure-threshold",
    min: 1,
    max: 1_000,
    doc: "consecutive failed checks after which a peer is dropped; 3 with f1r3node",
  },
  "peers-discovery.init-wait-loop-interval": {
    type: "duration",
    default: "1 seconds",
    option: "--discovery-init-wait-loop-interval",
    min: 1,
    max: 86_400_000,
    doc: "accepted, without effect: the node does not poll for its first connection",
  },

  "api-server.host": {
    type: "text",
    form: "host",
    default: "0.0.0.0",
    option: "--api-host",
    doc: "listen address of the public APIs",
  },
  "api-server.port-grpc-external": {
    type: "port",
    default: 40401,
    option: "-e, --api-port-grpc-external",
    doc: "port of the public gRPC API",
  },
  "api-server.port-grpc-internal": {
    type: "port",
    default: 40402,
    option: "-i, --api-port-grpc-internal",
    doc: "port of the operator's gRPC API",
  },
  "api-server.grpc-max-recv-message-size": {
    type: "long",
    default: 16_777_216n,
    option: "--api-grpc-max-recv-message-size",
    min: 1,
    max: 2_147_483_647,
    doc: "maximum size of a gRPC request, in bytes",
  },
  "api-server.port-http": {
    type: "port",
    default: 40403,
    option: "-h, --api-port-http",
    doc: "port of the public HTTP API",
  },
  "api-server.host-admin-http": {
    type: "text",
    form: "host",
    default: "127.0.0.1",
    option: "--api-host-admin-http",
    doc: "listen address of the operator's HTTP API",
  },
  "api-server.port-admin-http": {
    type: "port",
    default: 40405,
    option: "-a, --api-port-admin-http",
    doc: "port of the operator's HTTP API",
  },
  "api-server.hosts": {
    type: "textList",
    form: "hosts",
    default: [],
    doc: "host names accepted by the public APIs, besides addresses and localhost; empty accepts any name",
  },
  "api-server.admin-hosts": {
    type: "textList",
    form: "hosts",
    default: [],
    doc: "host names accepted by the operator's HTTP API, besides addresses, localhost and this machine's name; protects against DNS rebinding",
  },
  "api-server.max-blocks-limit": {
    type: "int",
    default: 50,
    min: 0,
    option: "--api-max-blocks-limit",
    doc: "maximum number of blocks per request; 100 with f1r3node",
  },
  "api-server.exploratory-deploy-phlo-limit": {
    type: "optionalLong",
    option: "--api-exploratory-deploy-phlo-limit",
    min: 1,
    doc: "phlo limit of an exploratory deploy; the limit of the dialect if absent",
  },
  "api-server.exploratory-deploy-execution-timeout": {
    type: "duration",
    default: "20 seconds",
    option: "--api-exploratory-deploy-execution-timeout",
    min: 1,
    max: 3_600_000,
    doc: "time limit of an exploratory deploy; 15 seconds with f1r3node",
  },
  "api-server.exploratory-deploy-max-concurrent": {
    type: "optionalInt",
    option: "--api-exploratory-deploy-max-concurrent",
    min: 1,
    max: 1_000,
    doc: "maximum number of concurrent exploratory deploys; default and upper limit: number of readers minus 1",
  },
  "api-server.drain-timeout": {
    type: "duration",
    default: "0 seconds",
    min: 0,
    max: 3_600_000,
    doc: "time that a stopping node still serves requests while it reports not ready; event connections close at once",
  },
  "api-server.enable-reporting": {
    type: "flag",
    default: false,
    option: "--api-enable-reporting",
    doc: "serve block traces; true with f1r3node",
  },
  "api-server.enable-explorer": {
    type: "flag",
    default: true,
    doc: "serve the explorer at / of the HTTP port",
  },
  "api-server.explorer-validator": {
    type: "text",
    form: "httpUrl",
    default: "",
    doc: "HTTP address of the validator that receives deploys of the playground; empty selects this node",
  },
  "api-server.explorer-labels": {
    type: "optionalPath",
    doc: 'JSON file with account names that the explorer shows as given by the operator: {"<address or public key>": "name"}',
  },
  "api-server.keep-alive-time": {
    type: "duration",
    default: "2 hours",
    option: "--api-keep-alive-time",
    min: 1,
    doc: "idle time after which a gRPC connection is checked",
  },
  "api-server.keep-alive-timeout": {
    type: "duration",
    default: "20 seconds",
    option: "--api-keep-alive-timeout",
    min: 1,
    max: 86_400_000,
    doc: "time limit of the check of a gRPC connection",
  },
  "api-server.tcp-keepalive-time": {
    type: "duration",
    default: "5 minutes",
    option: "--api-tcp-keepalive-time",
    min: 1_000,
    doc: "idle time after which the operating system checks a gRPC connection",
  },
  "api-server.request-timeout": {
    type: "duration",
    default: "1 hours",
    option: "--api-request-timeout",
    min: 1,
    doc: "time limit of a gRPC call",
  },
  "api-server.permit-keep-alive-time": {
    type: "duration",
    default: "5 minutes",
    option: "--api-permit-keep-alive-time",
    min: 0,
    doc: "minimum interval of connection checks by gRPC clients",
  },
  "api-server.max-connection-idle": {
    type: "duration",
    default: "1 hours",
    option: "--api-max-connection-idle",
    min: 1,
    doc: "maximum idle time of a gRPC connection",
  },
  "api-server.max-connection-age": {
    type: "duration",
    default: "1 hours",
    option: "--api-max-connection-age",
    min: 1,
    doc: "maximum age of a gRPC connection",
  },
  "api-server.max-connection-age-grace": {
    type: "duration",
    default: "1 hours",
    option: "--api-max-connection-age-grace",
    min: 0,
    doc: "time that calls may continue after their connection reaches its maximum age",
  },
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

  "casper.fault-tolerance-threshold": {
    type: "float",
    default: 0,
    option: "--fault-tolerance-threshold",
    min: -1,
    max: 1,
    doc: "fault tolerance above which a block is final, from -1 to 1",
  },
  "casper.validator-public-key": {
    type: "optionalText",
    option: "--validator-public-key",
    doc: "accepted, without effect",
  },
  "casper.validator-private-key": {
    type: "optionalText",
    form: "privateKey",
    option: "--validator-private-key",
    isSecret: true,
    doc: "private key of the validator, as hexadecimal text; a file is safer",
  },
  "casper.validator-private-key-path": {
    type: "optionalPath",
    option: "--validator-private-key-path",
    doc: "file with the private key of the validator, as hexadecimal text",
  },
  "casper.shard-name": { type: "text", default: "root", option: "--shard-name", doc: "name of the shard" },
  "casper.rule-set": {
    type: "optionalText",
    option: "--rule-set",
    doc: "f1r3node only: rules of the network, f1r3node-0.4.45 (used if absent) or f1r3node-prior-rejections",
  },
  "casper.parent-shard-id": {
    type: "text",
    default: "/",
    doc: "accepted, without effect: the name of the parent shard is not used",
  },
  "casper.casper-loop-interval": {
    type: "duration",
    default: "30 seconds",
    option: "--casper-loop-interval",
    min: 1,
    max: 86_400_000,
    doc: "interval of repeated requests for missing blocks; 750 ms with f1r3node",
  },
  "casper.requested-blocks-timeout": {
    type: "duration",
    default: "240 seconds",
    option: "--requested-blocks-timeout",
    min: 1,
    max: 86_400_000,
    doc: "time after which the request of a block is abandoned",
  },
  "casper.finalization-rate": {
    type: "int",
    default: 1,
    option: "--finalization-rate",
    min: 1,
    max: 2_147_483_647,
    doc: "number of blocks between two computations of finality",
  },
  "casper.enable-mergeable-channel-gc": {
    type: "flag",
    default: false,
    option: "--enable-mergeable-channel-gc",
    offOption: "--disable-mergeable-channel-gc",
    doc: "accepted, without effect: data of number channels is pruned with the states of their blocks (storage.state-retention)",
  },
  "casper.mergeable-channels-gc-interval": {
    type: "duration",
    default: "5 minutes",
    min: 1,
    doc: "accepted, without effect: see casper.enable-mergeable-channel-gc",
  },
  "casper.mergeable-channels-gc-depth-buffer": {
    type: "int",
    default: 10,
    min: 0,
    max: 2_147_483_647,
    doc: "number of blocks below the oldest possible parent for which a joining node fetches number channels",
  },
  "casper.max-number-of-parents": {
    type: "int",
    default: 2_147_483_647,
    option: "--max-number-of-parents",
    min: 1,
    max: 2_147_483_647,
    doc: "maximum number of parents of a block; 100 with f1r3node",
  },
  "casper.max-parent-depth": {
    type: "optionalInt",
    default: 2_147_483_647,
    option: "--max-parent-depth",
    min: 0,
    max: 2_147_483_647,
    doc: "maximum depth of further parents; 15 with f1r3node",
  },
  "casper.fork-choice-stale-threshold": {
    type: "duration",
    default: "10 minutes",
    option: "--fork-choice-stale-threshold",
    min: 1,
    doc: "time without a new block after which peers are queried for their tips",
  },
  "casper.fork-choice-check-if-stale-interval": {
    type: "duration",
    default: "11 minutes",
    option: "--fork-choice-check-if-stale-interval",
    min: 1,
    doc: "interval of this check",
  },
  "casper.synchrony-constraint-threshold": {
    type: "decimal",
    default: 0.67,
    option: "--synchrony-constraint-threshold",
    min: 0,
    max: 1,
    doc: "fraction of stake (0 to 1) that must propose between two blocks of this validator; 0 with f1r3node",
  },
  "casper.synchrony-recovery-stall-window": {
    type: "duration",
    default: "60 seconds",
    min: 0,
    doc: "time below the synchrony threshold after which a block is proposed regardless",
  },
  "casper.synchrony-recovery-cooldown": {
    type: "duration",
    default: "20 seconds",
    min: 0,
    doc: "minimum time between two such blocks",
  },
  "casper.synchrony-recovery-max-bypasses": {
    type: "int",
    default: 0,
    min: 0,
    max: 2_147_483_647,
    doc: "maximum number of such blocks per stall window; 0 disables them; 2 with f1r3node",
  },
  "casper.synchrony-finalized-baseline-enabled": {
    type: "flag",
    default: false,
    option: "--synchrony-finalized-baseline-enabled",
    optionHasValue: true,
    doc: "below the synchrony threshold, count validators since the last final block instead; true with f1r3node",
  },
  "casper.synchrony-finalized-baseline-max-distance": {
    type: "long",
    default: 2048n,
    option: "--synchrony-finalized-baseline-max-distance",
    min: 0,
    doc: "maximum distance from the last final block to the last own block for this count",
  },
  "casper.max-user-deploys-per-block": {
    type: "int",
    default: 128,
    option: "--max-user-deploys-per-block",
    min: 1,
    max: 100_000,
    doc: "maximum number of user deploys in a block of this validator",
  },
  "casper.height-constraint-threshold": {
    type: "long",
    default: 1000n,
    option: "--height-constraint-threshold",
    min: 0,
    doc: "maximum height of proposed blocks above the last final block",
  },
  "casper.slash-without-confirmation": {
    type: "flag",
    default: false,
    doc: "with arrival-order equivocation rules: slash without confirmation by another validator",
  },
  "casper.round-robin-dispatcher.max-peer-queue-size": {
    type: "int",
    default: 100,
    min: 1,
    option: "--frrd-max-peer-queue-size",
    doc: "accepted, without effect",
  },
  "casper.round-robin-dispatcher.give-up-after-skipped": {
    type: "int",
    default: 0,
    min: 0,
    option: "--frrd-give-up-after-skipped",
    doc: "accepted, without effect",
  },
  "casper.round-robin-dispatcher.drop-peer-after-retries": {
    type: "int",
    default: 0,
    min: 0,
    option: "--frrd-drop-peer-after-retries",
    doc: "accepted, without effect",
  },
  "casper.genesis-block-data.genesis-data-dir": {
    type: "path",
    default: { sameAs: "storage.data-dir", followedBy: "/genesis" },
    doc: "folder of the genesis files",
  },
  "casper.genesis-block-data.bonds-file": {
    type: "text",
    default: { sameAs: "casper.genesis-block-data.genesis-data-dir", followedBy: "/bonds.txt" },
    option: "--bonds-file",
    doc: "file of the genesis validators and their stakes",
  },
  "casper.genesis-block-data.wallets-file": {
    type: "text",
    default: { sameAs: "casper.genesis-block-data.genesis-data-dir", followedBy: "/wallets.txt" },
    option: "--wallets-file",
    doc: "file of the genesis vaults and their balances",
  },
  "casper.genesis-block-data.bond-minimum": {
    type: "long",
    default: 1n,
    option: "--bond-minimum",
    min: 0,
    doc: "minimum stake",
  },
  "casper.genesis-block-data.bond-maximum": {
    type: "long",
    default: 9_223_372_036_854_775_807n,
    option: "--bond-maximum",
    min: 0,
    doc: "maximum stake",
  },
  "casper.genesis-block-data.epoch-length": {
    type: "int",
    default: 10_000,
    option: "--epoch-length",
    min: 1,
    max: 2_147_483_647,
    doc: "length of an epoch, in blocks",
  },
  "casper.genesis-block-data.quarantine-length": {
    type: "int",
    default: 50_000,
    option: "--quarantine-length",
    min: 0,
    max: 2_147_483_647,
    doc: "blocks until a stake is returned",
  },
  "casper.genesis-block-data.number-of-active-validators": {
    type: "int",
    default: 100,
    option: "--number-of-active-validators",
    min: 1,
    max: 2_147_483_647,
    doc: "maximum number of active validators",
  },
  "casper.genesis-block-data.deploy-timestamp": {
    type: "optionalLong",
    option: "--deploy-timestamp",
    min: 0,
    doc: "time of genesis, in milliseconds since 1970; now if absent",
  },
  "casper.genesis-block-data.genesis-block-number": {
    type: "long",
    default: 0n,
    option: "--genesis-block-number",
    min: 0,
    doc: "number of the genesis block",
  },
  "casper.genesis-block-data.equivocation-evidence": {
    type: "flag",
    default: true,
    doc: "judge equivocations by evidence, equal at every node; set false if rnode nodes take part",
  },
  "casper.genesis-block-data.pos-multi-sig-public-keys": {
    type: "textList",
    default: multiSigKeys,
    doc: "public keys that jointly control the coins of slashed validators",
  },
  "casper.genesis-block-data.pos-multi-sig-quorum": {
    type: "int",
    default: 2,
    min: 0,
    max: 2_147_483_647,
    doc: "number of these keys that must sign",
  },
  "casper.genesis-block-data.native-token-name": {
    type: "text",
    default: "F1R3CAP",
    option: "--native-token-name",
    doc: "name of the token of an f1r3node network; must match the chain",
  },
  "casper.genesis-block-data.native-token-symbol": {
    type: "text",
    default: "F1R3",
    option: "--native-token-symbol",
    doc: "symbol of the token of an f1r3node network; must match the chain",
  },
  "casper.genesis-block-data.native-token-decimals": {
    type: "int",
    default: 8,
    option: "--native-token-decimals",
    min: 0,
    max: 18,
    doc: "decimals of the token of an f1r3node network; must match the chain",
  },
  "casper.genesis-ceremony.required-signatures": {
    type: "int",
    default: 0,
    option: "--required-signatures",
    min: 0,
    max: 2_147_483_647,
    doc: "number of validators that must approve genesis",
  },
  "casper.genesis-ceremony.approve-interval": {
    type: "duration",
    default: "5 minutes",
    option: "--approve-interval",
    min: 1,
    doc: "interval of the approval requests",
  },
  "casper.genesis-ceremony.approve-duration": {
    type: "duration",
    default: "5 minutes",
    option: "--approve-duration",
    min: 0,
    doc: "minimum time to collect approvals; 10 seconds with f1r3node",
  },
  "casper.genesis-ceremony.autogen-shard-size": {
    type: "int",
    default: 5,
    option: "--autogen-shard-size",
    min: 1,
    max: 1_000,
    doc: "number of generated validators if there is no bonds file",
  },
  "casper.genesis-ceremony.genesis-validator-mode": {
    type: "flag",
    default: false,
    option: "--genesis-validator",
    doc: "check and approve genesis",
  },
  "casper.genesis-ceremony.ceremony-master-mode": {
    type: "flag",
    default: { sameAs: "standalone" },
    option: "--ceremony-master-mode",
    doc: "create genesis and collect approvals",
  },
  "casper.relay-deploys": {
    type: "flag",
    default: false,
    doc: "relay received deploys to peers that are validators, run Vedette and set this key, too",
  },
  "casper.heartbeat.enabled": {
    type: "flag",
    default: false,
    option: "--heartbeat-enabled",
    offOption: "--heartbeat-disabled",
    doc: "propose blocks at regular intervals; true with f1r3node",
  },
  "casper.heartbeat.check-interval": {
    type: "duration",
    default: "30 seconds",
    option: "--heartbeat-check-interval",
    min: 1,
    doc: "interval of the heartbeat; 5 seconds with f1r3node",
  },
  "casper.heartbeat.max-lfb-age": {
    type: "duration",
    default: "60 seconds",
    option: "--heartbeat-max-lfb-age",
    min: 0,
    doc: "maximum age of the last final block; 5 seconds with f1r3node",
  },
  "casper.heartbeat.self-propose-cooldown": {
    type: "duration",
    default: "3 seconds",
    option: "--heartbeat-self-propose-cooldown",
    min: 0,
    doc: "with f1r3node: minimum time from an unfinalized own block to the next own block",
  },
  "casper.heartbeat.stale-recovery-min-interval": {
    type: "duration",
    default: "3 seconds",
    option: "--heartbeat-stale-recovery-min-interval",
    min: 0,
    doc: "with f1r3node: minimum age of the newest block before an empty block follows it",
  },
  "casper.heartbeat.finality-progress-timeout": {
    type: "duration",
    default: "30 seconds",
    min: 1,
    doc: "with f1r3node: wait for the validator with the turn while finality lags",
  },
  "casper.heartbeat.deploy-finalization-grace": {
    type: "duration",
    default: "25 seconds",
    option: "--heartbeat-deploy-finalization-grace",
    min: 0,
    doc: "with f1r3node: time after a block with deploys in which deploy-recovery-max-lag applies",
  },
  "casper.heartbeat.advanced.frontier-chase-max-lag": {
    type: "int",
    default: 20,
    option: "--heartbeat-advanced-frontier-chase-max-lag",
    ...lag,
    doc: "with f1r3node: maximum finality lag for empty blocks, in blocks",
  },
  "casper.heartbeat.advanced.pending-deploy-max-lag": {
    type: "int",
    default: 20,
    option: "--heartbeat-advanced-pending-deploy-max-lag",
    ...lag,
    doc: "with f1r3node: maximum finality lag for blocks with pending deploys, in blocks",
  },
  "casper.heartbeat.advanced.deploy-recovery-max-lag": {
    type: "int",
    default: 64,
    option: "--heartbeat-advanced-deploy-recovery-max-lag",
    ...lag,
    doc: "with f1r3node: maximum finality lag shortly after a block with deploys, and for votes on such blocks",
  },
  "casper.heartbeat.advanced.empty-frontier-max-unfinalized-blocks": {
    type: "int",
    default: 64,
    option: "--heartbeat-advanced-empty-frontier-max-unfinalized-blocks",
    ...lag,
    doc: "with f1r3node: number of unfinalized blocks from which no empty block is proposed",
  },
  "casper.min-phlo-price": {
    type: "long",
    default: 1n,
    option: "--min-phlo-price",
    min: 0,
    doc: "minimum accepted phlo price",
  },
  "casper.disable-late-block-filtering": {
    type: "flag",
    default: true,
    doc: "accepted, without effect: deploys of late blocks are always kept, as with true",
  },

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
