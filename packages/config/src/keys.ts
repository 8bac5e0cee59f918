import type { Key, ValueOf } from "./Key.js";
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
    doc: "Start a network of its own, without a bootstrap node.",
  },
  autopropose: { type: "flag", default: false, option: "--autopropose", doc: "Propose a block after every deploy." },
  "rspace-plus-plus": {
    type: "flag",
    default: false,
    option: "--rspace-plus-plus",
    doc: "Accepted and without effect.",
  },
  "dev-mode": {
    type: "flag",
    default: false,
    option: "--dev-mode",
    doc: "Allow what is for development only, as exploratory deploys on a validator.",
  },
  "dev.deployer-private-key": {
    type: "optionalText",
    option: "--deployer-private-key",
    isSecret: true,
    doc: "Key of the deployer that stands in for users in dev mode.",
  },
  dialect: {
    type: "dialect",
    default: "rnode-scala",
    option: "--dialect",
    doc: "Whose rules the network has: rnode-scala (the reference node) or rnode-rust (the newer one). A data directory holds a chain of one of them.",
  },
  "default-data-dir": {
    type: "text",
    doc: "Where data are, unless storage.data-dir says otherwise; set from the profile.",
  },

  "protocol-server.network-id": {
    type: "text",
    form: "name",
    default: "testnet",
    option: "--network-id",
    doc: "Name of the network; nodes of other networks are refused.",
  },
  "protocol-server.host": {
    type: "optionalText",
    form: "host",
    option: "--host",
    doc: "Own host name or address as peers see it; guessed where absent.",
  },
  "protocol-server.listen-address": {
    type: "optionalText",
    form: "host",
    doc: "Address that the ports for peers listen on, as 127.0.0.1; all addresses where absent.",
  },
  "protocol-server.allow-private-addresses": {
    type: "flag",
    default: false,
    option: "--allow-private-addresses",
    doc: "Accept peers and an own address within private networks.",
  },
  "protocol-server.use-random-ports": {
    type: "flag",
    default: false,
    option: "--use-random-ports",
    doc: "Where a port for peers is taken, take a free one in its place.",
  },
  "protocol-server.dynamic-ip": {
    type: "flag",
    default: false,
    option: "--dynamic-ip",
    doc: "Look for a changed own address while running.",
  },
  "protocol-server.no-upnp": {
    type: "flag",
    default: false,
    option: "--no-upnp",
    doc: "Do not open ports on the router.",
  },
  "protocol-server.port": {
    type: "port",
    default: 40400,
    option: "-p, --protocol-port",
    doc: "Port of the peer protocol, TLS.",
  },
  "protocol-server.grpc-max-recv-message-size": {
    type: "long",
    default: 262_144n,
    option: "--protocol-grpc-max-recv-message-size",
    alsoSets: "protocol-client.grpc-max-recv-message-size",
    min: 1,
    max: 2_147_483_647,
    doc: "Largest message from a peer, in bytes.",
  },
  "protocol-server.grpc-max-recv-stream-message-size": {
    type: "long",
    default: 268_435_456n,
    option: "--protocol-grpc-max-recv-stream-message-size",
    min: 1,
    max: 2_147_483_647,
    doc: "Largest streamed message from a peer, in bytes.",
  },
  "protocol-server.max-message-consumers": {
    type: "int",
    default: 400,
    option: "--protocol-max-message-consumers",
    min: 1,
    max: 100_000,
    doc: "How many messages are worked on at once.",
  },
  "protocol-server.disable-state-exporter": {
    type: "flag",
    default: false,
    option: "--disable-state-exporter",
    doc: "Do not give the state to peers that join.",
  },

  "protocol-client.network-id": {
    type: "text",
    form: "name",
    default: { sameAs: "protocol-server.network-id" },
    doc: "Accepted and without effect: protocol-server.network-id stands in own messages, too.",
  },
  "protocol-client.bootstrap": {
    type: "peer",
    default: "rnode://0000000000000000000000000000000000000000@127.0.0.1?protocol=40400&discovery=40404",
    option: "-b, --bootstrap",
    doc: "Node to join the network through.",
  },
  "protocol-client.disable-lfs": {
    type: "flag",
    default: false,
    option: "--disable-lfs",
    doc: "Replay the chain from genesis instead of fetching the last finalized state.",
  },
  "protocol-client.batch-max-connections": {
    type: "int",
    default: 20,
    min: 0,
    option: "--protocol-max-connections",
    doc: "How many peers to be connected with.",
  },
  "protocol-client.network-timeout": {
    type: "duration",
    default: "5 seconds",
    option: "--network-timeout",
    min: 1,
    max: 3_600_000,
    doc: "How long to wait for a peer.",
  },
  "protocol-client.grpc-max-recv-message-size": {
    type: "long",
    default: { sameAs: "protocol-server.grpc-max-recv-message-size" },
    min: 1,
    max: 2_147_483_647,
    doc: "Largest answer from a peer, in bytes.",
  },
  "protocol-client.grpc-stream-chunk-size": {
    type: "long",
    default: 262_144n,
    option: "--protocol-grpc-stream-chunk-size",
    min: 1,
    max: 2_147_483_647,
    doc: "Size of the parts that large messages are sent in, in bytes.",
  },

  "peers-discovery.port": {
    type: "port",
    default: 40404,
    option: "--discovery-port",
    doc: "Port of the discovery of peers.",
  },
  "peers-discovery.lookup-interval": {
    type: "duration",
    default: "20 seconds",
    option: "--discovery-lookup-interval",
    min: 1,
    max: 86_400_000,
    doc: "How often new peers are looked for.",
  },
  "peers-discovery.cleanup-interval": {
    type: "duration",
    default: "20 minutes",
    option: "--discovery-cleanup-interval",
    min: 1,
    max: 86_400_000,
    doc: "How often lost peers are removed; 10 seconds with rnode-rust.",
  },
  "peers-discovery.heartbeat-batch-size": {
    type: "int",
    default: 100,
    option: "--discovery-heartbeat-batch-size",
    min: 1,
    max: 100_000,
    doc: "How many peers are checked at once.",
  },
  "peers-discovery.heartbeat-failure-threshold": {
    type: "int",
    default: 1,
    option: "--discovery-heartbeat-failure-threshold",
    min: 1,
    max: 1_000,
    doc: "After how many checks in a row without an answer a peer is dropped; 3 with rnode-rust.",
  },
  "peers-discovery.init-wait-loop-interval": {
    type: "duration",
    default: "1 seconds",
    option: "--discovery-init-wait-loop-interval",
    min: 1,
    max: 86_400_000,
    doc: "Accepted and without effect: the first connection is waited for without looking.",
  },

  "api-server.host": {
    type: "text",
    form: "host",
    default: "0.0.0.0",
    option: "--api-host",
    doc: "Address that the APIs listen on.",
  },
  "api-server.port-grpc-external": {
    type: "port",
    default: 40401,
    option: "-e, --api-port-grpc-external",
    doc: "Port of the gRPC API for users.",
  },
  "api-server.port-grpc-internal": {
    type: "port",
    default: 40402,
    option: "-i, --api-port-grpc-internal",
    doc: "Port of the gRPC API for the operator.",
  },
  "api-server.grpc-max-recv-message-size": {
    type: "long",
    default: 16_777_216n,
    option: "--api-grpc-max-recv-message-size",
    min: 1,
    max: 2_147_483_647,
    doc: "Largest request to a gRPC API, in bytes.",
  },
  "api-server.port-http": { type: "port", default: 40403, option: "-h, --api-port-http", doc: "Port of the HTTP API." },
  "api-server.host-admin-http": {
    type: "text",
    form: "host",
    default: "127.0.0.1",
    option: "--api-host-admin-http",
    doc: "Address that the operator's HTTP API listens on; ours, so that it is not open to the world.",
  },
  "api-server.port-admin-http": {
    type: "port",
    default: 40405,
    option: "-a, --api-port-admin-http",
    doc: "Port of the HTTP API for the operator.",
  },
  "api-server.hosts": {
    type: "textList",
    form: "hosts",
    default: [],
    doc: "Names by which the public APIs over HTTP and gRPC may be asked, beside addresses and localhost; empty: by any name; ours.",
  },
  "api-server.admin-hosts": {
    type: "textList",
    form: "hosts",
    default: [],
    doc: "Names by which the operator's HTTP API may be asked, beside addresses, localhost and the name of this machine; others are refused, since a web page may have taken such a name over; ours.",
  },
  "api-server.max-blocks-limit": {
    type: "int",
    default: 50,
    min: 0,
    option: "--api-max-blocks-limit",
    doc: "How many blocks one request may ask for; 100 with rnode-rust.",
  },
  "api-server.exploratory-deploy-phlo-limit": {
    type: "optionalLong",
    option: "--api-exploratory-deploy-phlo-limit",
    min: 1,
    doc: "What an exploratory deploy may cost, in phlo; where absent, what nodes of the network's dialect allow.",
  },
  "api-server.exploratory-deploy-execution-timeout": {
    type: "duration",
    default: "20 seconds",
    option: "--api-exploratory-deploy-execution-timeout",
    min: 1,
    max: 3_600_000,
    doc: "How long an exploratory deploy may run; 15 seconds with rnode-rust.",
  },
  "api-server.exploratory-deploy-max-concurrent": {
    type: "optionalInt",
    option: "--api-exploratory-deploy-max-concurrent",
    min: 1,
    max: 1_000,
    doc: "How many programs may run at once, others wait; where absent, and at most: one less than there are readers.",
  },
  "api-server.drain-time": {
    type: "duration",
    default: "0 seconds",
    min: 0,
    max: 3_600_000,
    doc: "How long it goes on serving when it is told to stop, and says that it is not ready; readers of events are sent away at once.",
  },
  "api-server.enable-reporting": {
    type: "flag",
    default: false,
    option: "--api-enable-reporting",
    doc: "Serve traces of blocks; true with rnode-rust.",
  },
  "api-server.enable-explorer": {
    type: "flag",
    default: true,
    doc: "Serve the explorer at / of the HTTP port.",
  },
  "api-server.explorer-validator": {
    type: "text",
    form: "httpUrl",
    default: "",
    doc: "HTTP address of a validator that takes deploys of the explorer's playground; left empty, they go to this node.",
  },
  "api-server.keep-alive-time": {
    type: "duration",
    default: "2 hours",
    option: "--api-keep-alive-time",
    min: 1,
    doc: "How long a gRPC connection is idle before it is checked.",
  },
  "api-server.keep-alive-timeout": {
    type: "duration",
    default: "20 seconds",
    option: "--api-keep-alive-timeout",
    min: 1,
    max: 86_400_000,
    doc: "How long the check of a gRPC connection may take.",
  },
  "api-server.tcp-keepalive-time": {
    type: "duration",
    default: "5 minutes",
    option: "--api-tcp-keepalive-time",
    min: 1_000,
    doc: "After how long without traffic the system checks a gRPC connection.",
  },
  "api-server.request-timeout": {
    type: "duration",
    default: "1 hours",
    option: "--api-request-timeout",
    min: 1,
    doc: "How long a gRPC call may take before it is ended.",
  },
  "api-server.permit-keep-alive-time": {
    type: "duration",
    default: "5 minutes",
    option: "--api-permit-keep-alive-time",
    min: 0,
    doc: "How often clients may check a gRPC connection.",
  },
  "api-server.max-connection-idle": {
    type: "duration",
    default: "1 hours",
    option: "--api-max-connection-idle",
    min: 1,
    doc: "How long a gRPC connection may be idle.",
  },
  "api-server.max-connection-age": {
    type: "duration",
    default: "1 hours",
    option: "--api-max-connection-age",
    min: 1,
    doc: "How long a gRPC connection may last.",
  },
  "api-server.max-connection-age-grace": {
    type: "duration",
    default: "1 hours",
    option: "--api-max-connection-age-grace",
    min: 0,
    doc: "How long calls may go on when their connection has reached its age.",
  },
  ...limitKeys,

  "storage.data-dir": {
    type: "path",
    default: { sameAs: "default-data-dir" },
    option: "--data-dir",
    doc: "Folder of the node's data.",
  },
  "storage.history": {
    type: "stateHistory",
    default: "archive",
    option: "--history",
    doc: "Which states are kept: archive (all), a number of blocks below the last final one, or finalized (as few as the chain needs). What leaves it is thrown away for good; blocks are kept.",
  },
  "storage.low-water-mark": {
    type: "optionalLong",
    min: 1,
    doc: "Free room of the data directory's disk, in bytes (also 500 MB, 2 GiB), below which the node writes nothing and only answers; it goes on by itself. Where absent: 1 GB or 5 % of the disk, whichever is smaller.",
  },
  "sync.verify-history": {
    type: "flag",
    default: true,
    doc: "Where a node begins at the last finalized state: replay all blocks before it in the background, in folder proof of the data directory, until it is known that they lead there.",
  },
  "sync.parallel": {
    type: "workers",
    default: "auto",
    doc: "How many threads replay parts of that history side by side: auto (one a core, at most four) or a number; each takes some 250 MB of memory meanwhile.",
  },
  "sync.verify-after": {
    type: "duration",
    default: "1 minute",
    min: 0,
    max: 31_536_000_000,
    doc: "How long the node follows its network before it begins to do so.",
  },
  "tls.certificate-path": {
    type: "path",
    default: { sameAs: "storage.data-dir", followedBy: "/node.certificate.pem" },
    option: "--tls-certificate-path",
    doc: "Certificate of the node.",
  },
  "tls.key-path": {
    type: "path",
    default: { sameAs: "storage.data-dir", followedBy: "/node.key.pem" },
    option: "-k, --tls-key-path",
    doc: "Private key of the node's certificate.",
  },
  "tls.secure-random-non-blocking": {
    type: "flag",
    default: false,
    option: "--tls-secure-random-non-blocking",
    doc: "Accepted and without effect.",
  },
  "tls.custom-certificate-location": {
    type: "flag",
    default: false,
    doc: "The certificate is looked after by the owner and never generated.",
  },
  "tls.custom-key-location": { type: "flag", default: false, doc: "Accepted and without effect." },

  "casper.fault-tolerance-threshold": {
    type: "float",
    default: 0,
    option: "--fault-tolerance-threshold",
    min: -1,
    max: 1,
    doc: "How safe a block has to be to be final, from -1 to 1.",
  },
  "casper.validator-public-key": {
    type: "optionalText",
    option: "--validator-public-key",
    doc: "Accepted and without effect.",
  },
  "casper.validator-private-key": {
    type: "optionalText",
    form: "privateKey",
    option: "--validator-private-key",
    isSecret: true,
    doc: "Private key of the validator, as hexadecimal text; a file is safer.",
  },
  "casper.validator-private-key-path": {
    type: "optionalPath",
    option: "--validator-private-key-path",
    doc: "File with the private key of the validator, as hexadecimal text.",
  },
  "casper.shard-name": { type: "text", default: "root", option: "--shard-name", doc: "Name of the shard." },
  "casper.parent-shard-id": {
    type: "text",
    default: "/",
    doc: "Accepted and without effect: nothing asks for the name of the shard above.",
  },
  "casper.casper-loop-interval": {
    type: "duration",
    default: "30 seconds",
    option: "--casper-loop-interval",
    min: 1,
    max: 86_400_000,
    doc: "How often missing blocks are asked for again; 750 ms with rnode-rust.",
  },
  "casper.requested-blocks-timeout": {
    type: "duration",
    default: "240 seconds",
    option: "--requested-blocks-timeout",
    min: 1,
    max: 86_400_000,
    doc: "When a requested block is given up.",
  },
  "casper.finalization-rate": {
    type: "int",
    default: 1,
    option: "--finalization-rate",
    min: 1,
    max: 2_147_483_647,
    doc: "After how many blocks finality is computed.",
  },
  "casper.enable-mergeable-channel-gc": {
    type: "flag",
    default: false,
    option: "--enable-mergeable-channel-gc",
    offOption: "--disable-mergeable-channel-gc",
    doc: "Accepted and without effect: facts about number channels go with the states of their blocks (storage.history).",
  },
  "casper.mergeable-channels-gc-interval": {
    type: "duration",
    default: "5 minutes",
    min: 1,
    doc: "Accepted and without effect: see casper.enable-mergeable-channel-gc.",
  },
  "casper.mergeable-channels-gc-depth-buffer": {
    type: "int",
    default: 10,
    min: 0,
    max: 2_147_483_647,
    doc: "How many blocks below the oldest possible parent a joiner takes with their facts about number channels.",
  },
  "casper.max-number-of-parents": {
    type: "int",
    default: 2_147_483_647,
    option: "--max-number-of-parents",
    min: 1,
    max: 2_147_483_647,
    doc: "How many parents a block may have; 100 with rnode-rust.",
  },
  "casper.max-parent-depth": {
    type: "optionalInt",
    default: 2_147_483_647,
    option: "--max-parent-depth",
    min: 0,
    max: 2_147_483_647,
    doc: "How far back a further parent may be; 15 with rnode-rust.",
  },
  "casper.fork-choice-stale-threshold": {
    type: "duration",
    default: "10 minutes",
    option: "--fork-choice-stale-threshold",
    min: 1,
    doc: "After how long without a new block peers are asked for theirs.",
  },
  "casper.fork-choice-check-if-stale-interval": {
    type: "duration",
    default: "11 minutes",
    option: "--fork-choice-check-if-stale-interval",
    min: 1,
    doc: "How often this is checked.",
  },
  "casper.synchrony-constraint-threshold": {
    type: "decimal",
    default: 0.67,
    option: "--synchrony-constraint-threshold",
    min: 0,
    max: 1,
    doc: "Share of the stake (0 to 1) that must propose between two blocks of this validator; 0 with rnode-rust.",
  },
  "casper.synchrony-recovery-stall-window": {
    type: "duration",
    default: "60 seconds",
    min: 0,
    doc: "How long too few must have spoken before a block is proposed all the same.",
  },
  "casper.synchrony-recovery-cooldown": {
    type: "duration",
    default: "20 seconds",
    min: 0,
    doc: "Time from one such block to the next.",
  },
  "casper.synchrony-recovery-max-bypasses": {
    type: "int",
    default: 0,
    min: 0,
    max: 2_147_483_647,
    doc: "Such blocks in one stall window; 0: none ever; 2 with rnode-rust.",
  },
  "casper.synchrony-finalized-baseline-enabled": {
    type: "flag",
    default: false,
    option: "--synchrony-finalized-baseline-enabled",
    optionHasValue: true,
    doc: "Count who has spoken since the last final block, where too few have since the own last one; true with rnode-rust.",
  },
  "casper.synchrony-finalized-baseline-max-distance": {
    type: "long",
    default: 2048n,
    option: "--synchrony-finalized-baseline-max-distance",
    min: 0,
    doc: "How far above the last final block the own last one may be for that.",
  },
  "casper.max-user-deploys-per-block": {
    type: "int",
    default: 128,
    option: "--max-user-deploys-per-block",
    min: 1,
    max: 100_000,
    doc: "How many deploys of users a block of this validator may have.",
  },
  "casper.height-constraint-threshold": {
    type: "long",
    default: 1000n,
    option: "--height-constraint-threshold",
    min: 0,
    doc: "How far above the last final block blocks are proposed.",
  },
  "casper.slash-unconfirmed": {
    type: "flag",
    default: false,
    doc: "Where equivocations are judged by arrival: slash also what no other validator is seen to find invalid.",
  },
  "casper.round-robin-dispatcher.max-peer-queue-size": {
    type: "int",
    default: 100,
    min: 1,
    option: "--frrd-max-peer-queue-size",
    doc: "Accepted and without effect.",
  },
  "casper.round-robin-dispatcher.give-up-after-skipped": {
    type: "int",
    default: 0,
    min: 0,
    option: "--frrd-give-up-after-skipped",
    doc: "Accepted and without effect.",
  },
  "casper.round-robin-dispatcher.drop-peer-after-retries": {
    type: "int",
    default: 0,
    min: 0,
    option: "--frrd-drop-peer-after-retries",
    doc: "Accepted and without effect.",
  },
  "casper.genesis-block-data.genesis-data-dir": {
    type: "path",
    default: { sameAs: "storage.data-dir", followedBy: "/genesis" },
    doc: "Folder of the files that genesis is made from.",
  },
  "casper.genesis-block-data.bonds-file": {
    type: "text",
    default: { sameAs: "casper.genesis-block-data.genesis-data-dir", followedBy: "/bonds.txt" },
    option: "--bonds-file",
    doc: "The first validators and their stakes.",
  },
  "casper.genesis-block-data.wallets-file": {
    type: "text",
    default: { sameAs: "casper.genesis-block-data.genesis-data-dir", followedBy: "/wallets.txt" },
    option: "--wallets-file",
    doc: "The first vaults and their balances.",
  },
  "casper.genesis-block-data.bond-minimum": {
    type: "long",
    default: 1n,
    option: "--bond-minimum",
    min: 0,
    doc: "Smallest stake.",
  },
  "casper.genesis-block-data.bond-maximum": {
    type: "long",
    default: 9_223_372_036_854_775_807n,
    option: "--bond-maximum",
    min: 0,
    doc: "Largest stake.",
  },
  "casper.genesis-block-data.epoch-length": {
    type: "int",
    default: 10_000,
    option: "--epoch-length",
    min: 1,
    max: 2_147_483_647,
    doc: "Blocks in an epoch.",
  },
  "casper.genesis-block-data.quarantine-length": {
    type: "int",
    default: 50_000,
    option: "--quarantine-length",
    min: 0,
    max: 2_147_483_647,
    doc: "Blocks until a stake is given back.",
  },
  "casper.genesis-block-data.number-of-active-validators": {
    type: "int",
    default: 100,
    option: "--number-of-active-validators",
    min: 1,
    max: 2_147_483_647,
    doc: "How many validators are active at once.",
  },
  "casper.genesis-block-data.deploy-timestamp": {
    type: "optionalLong",
    option: "--deploy-timestamp",
    min: 0,
    doc: "Time of genesis in milliseconds; now where absent.",
  },
  "casper.genesis-block-data.genesis-block-number": {
    type: "long",
    default: 0n,
    option: "--genesis-block-number",
    min: 0,
    doc: "Number of the genesis block.",
  },
  "casper.genesis-block-data.judge-by-evidence": {
    type: "flag",
    default: true,
    doc: "Equivocations are judged by proofs, the same at every node; false where nodes of the reference take part.",
  },
  "casper.genesis-block-data.pos-multi-sig-public-keys": {
    type: "textList",
    default: multiSigKeys,
    doc: "Keys that together control the coins of slashed validators.",
  },
  "casper.genesis-block-data.pos-multi-sig-quorum": {
    type: "int",
    default: 2,
    min: 0,
    max: 2_147_483_647,
    doc: "How many of these keys have to agree.",
  },
  "casper.genesis-block-data.native-token-name": {
    type: "text",
    default: "F1R3CAP",
    option: "--native-token-name",
    doc: "What the token of a network of the newer node is called; it must be as in the chain.",
  },
  "casper.genesis-block-data.native-token-symbol": {
    type: "text",
    default: "F1R3",
    option: "--native-token-symbol",
    doc: "Its symbol, likewise.",
  },
  "casper.genesis-block-data.native-token-decimals": {
    type: "int",
    default: 8,
    option: "--native-token-decimals",
    min: 0,
    max: 18,
    doc: "With how many places behind the point it is written, likewise.",
  },
  "casper.genesis-ceremony.required-signatures": {
    type: "int",
    default: 0,
    option: "--required-signatures",
    min: 0,
    max: 2_147_483_647,
    doc: "How many validators have to approve genesis.",
  },
  "casper.genesis-ceremony.approve-interval": {
    type: "duration",
    default: "5 minutes",
    option: "--approve-interval",
    min: 1,
    doc: "How often they are asked.",
  },
  "casper.genesis-ceremony.approve-duration": {
    type: "duration",
    default: "5 minutes",
    option: "--approve-duration",
    min: 0,
    doc: "How long they are waited for at least; 10 seconds with rnode-rust.",
  },
  "casper.genesis-ceremony.autogen-shard-size": {
    type: "int",
    default: 5,
    option: "--autogen-shard-size",
    min: 1,
    max: 1_000,
    doc: "How many validators are made where there is no bonds file.",
  },
  "casper.genesis-ceremony.genesis-validator-mode": {
    type: "flag",
    default: false,
    option: "--genesis-validator",
    doc: "Check and approve genesis.",
  },
  "casper.genesis-ceremony.ceremony-master-mode": {
    type: "flag",
    default: { sameAs: "standalone" },
    option: "--ceremony-master-mode",
    doc: "Make genesis and collect approvals.",
  },
  "casper.relay-deploys": {
    type: "flag",
    default: false,
    doc: "Carry deploys that this validator takes to the validators that are its peers, as far as they are of this make and do the same.",
  },
  "casper.heartbeat.enabled": {
    type: "flag",
    default: false,
    option: "--heartbeat-enabled",
    offOption: "--heartbeat-disabled",
    doc: "Propose by itself, in a rhythm; true with rnode-rust.",
  },
  "casper.heartbeat.check-interval": {
    type: "duration",
    default: "30 seconds",
    option: "--heartbeat-check-interval",
    min: 1,
    doc: "How often this is checked; 5 seconds with rnode-rust.",
  },
  "casper.heartbeat.max-lfb-age": {
    type: "duration",
    default: "60 seconds",
    option: "--heartbeat-max-lfb-age",
    min: 0,
    doc: "How old the last final block may get; 5 seconds with rnode-rust.",
  },
  "casper.heartbeat.self-propose-cooldown": {
    type: "duration",
    default: "3 seconds",
    option: "--heartbeat-self-propose-cooldown",
    min: 0,
    doc: "With rnode-rust: least time from a block of this validator that is not final to its next one.",
  },
  "casper.heartbeat.stale-recovery-min-interval": {
    type: "duration",
    default: "3 seconds",
    option: "--heartbeat-stale-recovery-min-interval",
    min: 0,
    doc: "With rnode-rust: how old the newest block is before one without deploys follows it.",
  },
  "casper.heartbeat.finality-progress-timeout": {
    type: "duration",
    default: "30 seconds",
    min: 1,
    doc: "With rnode-rust: how long the validator whose turn it is is waited for where finality is behind.",
  },
  "casper.heartbeat.deploy-finalization-grace": {
    type: "duration",
    default: "25 seconds",
    option: "--heartbeat-deploy-finalization-grace",
    min: 0,
    doc: "With rnode-rust: how long after a block with deploys deploy-recovery-max-lag holds for the next ones.",
  },
  "casper.heartbeat.advanced.frontier-chase-max-lag": {
    type: "int",
    default: 20,
    option: "--heartbeat-advanced-frontier-chase-max-lag",
    ...lag,
    doc: "With rnode-rust: how far finality may be behind while blocks without deploys are proposed.",
  },
  "casper.heartbeat.advanced.pending-deploy-max-lag": {
    type: "int",
    default: 20,
    option: "--heartbeat-advanced-pending-deploy-max-lag",
    ...lag,
    doc: "With rnode-rust: how far finality may be behind while deploys that wait are proposed.",
  },
  "casper.heartbeat.advanced.deploy-recovery-max-lag": {
    type: "int",
    default: 64,
    option: "--heartbeat-advanced-deploy-recovery-max-lag",
    ...lag,
    doc: "With rnode-rust: the same shortly after a block with deploys, and for votes on such blocks.",
  },
  "casper.heartbeat.advanced.empty-frontier-max-unfinalized-blocks": {
    type: "int",
    default: 64,
    option: "--heartbeat-advanced-empty-frontier-max-unfinalized-blocks",
    ...lag,
    doc: "With rnode-rust: with so many blocks that are not final, none without deploys is proposed.",
  },
  "casper.min-phlo-price": {
    type: "long",
    default: 1n,
    option: "--min-phlo-price",
    min: 0,
    doc: "Smallest price of phlo that is accepted.",
  },
  "casper.disable-late-block-filtering": {
    type: "flag",
    default: true,
    doc: "Accepted and without effect: deploys that late blocks bring are always kept, as by nodes with true.",
  },

  "metrics.prometheus": {
    type: "flag",
    default: false,
    option: "--prometheus",
    doc: "Accepted and without effect: metrics are always served.",
  },
  "metrics.influxdb": { type: "flag", default: false, option: "--influxdb", doc: "Accepted and without effect." },
  "metrics.influxdb-udp": {
    type: "flag",
    default: false,
    option: "--influxdb-udp",
    doc: "Accepted and without effect.",
  },
  "metrics.zipkin": { type: "flag", default: false, option: "--zipkin", doc: "Accepted and without effect." },
  "metrics.sigar": { type: "flag", default: false, option: "--sigar", doc: "Accepted and without effect." },

  "index.enabled": {
    type: "flag",
    default: false,
    option: "--index",
    doc: "Keep the chain in tables, and answer GraphQL and SQL about them; ours.",
  },
  "index.postgres.url": {
    type: "optionalText",
    form: "postgresUrl",
    isSecret: true,
    doc: "PostgreSQL that has the tables; where absent, they are a file (SQLite) in the data directory; ours.",
  },
  "index.postgres.schema": {
    type: "text",
    form: "schema",
    default: "vedette",
    doc: "Schema of the tables in PostgreSQL; of several nodes that name the same one, one writes and the others stand by; ours.",
  },
  "index.partial": {
    type: "flag",
    default: false,
    doc: "Answer GraphQL and SQL also from tables that lack the beginning of the chain, as on a node that began with a later state; answers say since when they are whole. Without, such questions are refused; ours.",
  },
  "logging.level": {
    type: "logLevels",
    default: "info",
    option: "--log-level",
    doc: 'Least level of the log, and those of areas: "info,sync=debug,network=warn"; ours.',
  },

  "openai.enabled": {
    type: "flag",
    default: false,
    doc: "Accepted and without effect: no service is ever asked, as on a node where it is switched off.",
  },
  "openai.api-key": {
    type: "text",
    default: "",
    isSecret: true,
    doc: "Accepted and without effect: no service is ever asked, as on a node where it is switched off.",
  },
  "openai.validate-api-key": {
    type: "flag",
    default: true,
    doc: "Accepted and without effect: no service is ever asked, as on a node where it is switched off.",
  },
  "openai.validation-timeout-sec": {
    type: "int",
    default: 15,
    min: 1,
    max: 86_400,
    doc: "Accepted and without effect: no service is ever asked, as on a node where it is switched off.",
  },
  "ollama.enabled": {
    type: "flag",
    default: false,
    doc: "Accepted and without effect: no service is ever asked, as on a node where it is switched off.",
  },
  "ollama.base-url": {
    type: "text",
    default: "http://localhost:11434",
    doc: "Accepted and without effect: no service is ever asked, as on a node where it is switched off.",
  },
  "ollama.default-model": {
    type: "text",
    default: "llama4:latest",
    doc: "Accepted and without effect: no service is ever asked, as on a node where it is switched off.",
  },
  "ollama.validate-connection": {
    type: "flag",
    default: true,
    doc: "Accepted and without effect: no service is ever asked, as on a node where it is switched off.",
  },
  "ollama.timeout-sec": {
    type: "int",
    default: 30,
    min: 1,
    max: 86_400,
    doc: "Accepted and without effect: no service is ever asked, as on a node where it is switched off.",
  },
} as const satisfies Record<string, Key>;

/** The name of a key. @spec 50 §5.3 */
export type KeyName = keyof typeof keys;

/** The value of every key. @spec 50 §5.3 */
export type Config = { readonly [K in KeyName]: ValueOf[(typeof keys)[K]["type"]] };

/** The names of all keys, in the table's order. @spec 50 §5.3 */
export const keyNames = Object.keys(keys) as readonly KeyName[];

/** What is known of a key, with the absent facts as `undefined`. @spec 50 §5.3 */
export function keyOf(name: KeyName): Key {
  return keys[name];
}

/** Finds a key by its name. @spec 50 §5.3 */
export function findKeyName(name: string): KeyName | undefined {
  return Object.hasOwn(keys, name) ? (name as KeyName) : undefined;
}

/** Whether a node is named to join the network through; the default is nobody's address. @spec 50 §5.3 */
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
export function variableOf(name: KeyName): string {
  return `VEDETTE_${name.replace(/[.-]/g, "_").toUpperCase()}`;
}
