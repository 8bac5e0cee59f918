import { type Config, namesBootstrap, versionText } from "@vedette/config";
import { type EmitNetworkEvent, type NetworkOptions, type Peer, peerOfUri } from "@vedette/network";
import type { NodeParts } from "./NodeParts.js";

/** The place of a node in its network. */
export interface NetworkPlace {
  /** As peers see it. */
  readonly local: Peer;
  readonly bootstrap: Peer | undefined;
  readonly remembered: readonly Peer[];
  /** Looks for the own address again, where it may change. */
  readonly ownHost: (() => Promise<string>) | undefined;
  readonly emit: EmitNetworkEvent;
}

/** The settings of a node's part in its network. @spec 10 §3 to §6, 50 §5.3 */
export function networkOptionsOf(
  parts: NodeParts,
  { local, bootstrap, remembered, ownHost, emit }: NetworkPlace,
): NetworkOptions {
  const { config, identity, dialect } = parts;
  const bindHost = config["protocol-server.listen-address"];
  return {
    certificate: identity.certificatePem,
    privateKey: identity.privateKeyPem,
    networkId: config["protocol-server.network-id"],
    dialect: dialect.protocol,
    version: versionText,
    local,
    remembered,
    bootstrap,
    bindHost,
    allowPrivateAddresses: config["protocol-server.allow-private-addresses"],
    emit,
    nowMs: Date.now,
    discoveryIntervalMs: config["peers-discovery.lookup-interval"],
    maintenanceIntervalMs: config["peers-discovery.cleanup-interval"],
    networkTimeoutMs: config["protocol-client.network-timeout"],
    heartbeatBatchSize: config["peers-discovery.heartbeat-batch-size"],
    heartbeatFailures: config["peers-discovery.heartbeat-failure-threshold"],
    broadcastPeers: config["protocol-client.batch-max-connections"],
    inbound: {
      maxMessageBytes: Number(config["protocol-server.grpc-max-recv-message-size"]),
      maxStreamBytes: Number(config["protocol-server.grpc-max-recv-stream-message-size"]),
      maxMessageConsumers: config["protocol-server.max-message-consumers"],
    },
    outbound: {
      maxAnswerBytes: Number(config["protocol-client.grpc-max-recv-message-size"]),
      streamChunkBytes: Number(config["protocol-client.grpc-stream-chunk-size"]),
    },
    ...(ownHost === undefined ? {} : { ownHost }),
  };
}

/**
 * The configured bootstrap; `undefined` for a network's first node, which keeps the default. No node has that address.
 */
export function bootstrapOf(config: Config): Peer | undefined {
  return config.standalone || !namesBootstrap(config) ? undefined : peerOfUri(config["protocol-client.bootstrap"]);
}
