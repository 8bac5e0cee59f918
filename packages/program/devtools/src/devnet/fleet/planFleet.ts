import { join } from "node:path";
import { type MemberPlan, type NetworkPlan, type NodePlan, type PortPlan, portsFrom } from "../planNetwork.js";

/** The folder of a fleet, in its network's directory. */
export const fleetFolder = "fleet";
/** Marks the folder as a fleet's. */
export const fleetFile = "fleet.json";

/** A replica, with ports of its own. */
export interface ReplicaPlan extends MemberPlan {
  readonly role: "replica";
  readonly ports: PortPlan;
}

/** A publisher, and the node beside which it is. */
export interface PublisherPlan extends MemberPlan {
  readonly role: "publisher";
  readonly ports?: never;
  readonly beside: NodePlan;
}

/** A server that is no program of ours. */
export interface ServerPlan extends MemberPlan {
  readonly role: "stream" | "proxy";
  readonly ports?: never;
}

/**
 * The processes that serve a network's chain: a stream, its publishers, its replicas, and one name for all of these.
 */
export interface FleetPlan {
  readonly directory: string;
  readonly stream: ServerPlan & { readonly url: string; readonly port: number };
  readonly publishers: readonly PublisherPlan[];
  readonly replicas: readonly ReplicaPlan[];
  readonly proxy: ServerPlan & { readonly httpPort: number; readonly grpcPort: number; readonly configFile: string };
}

const portsEach = 10;

/**
 * A fleet for a network: two publishers beside nodes that make no blocks (beside the one that there is, where there is
 * one), a stream, replicas, a proxy. Its ports follow the network's.
 */
export function planFleet(network: NetworkPlan, replicas: number): FleetPlan {
  const directory = join(network.directory, fleetFolder);
  const inFleet = (name: string) => join(directory, name);
  const first = Math.max(...network.nodes.map(({ ports }) => ports.protocol)) + portsEach;
  const server = <Role extends "stream" | "proxy">(name: string, role: Role) => ({
    ...{ name, role, directory: inFleet(name) },
  });
  const sources = network.nodes.filter(({ role }) => role !== "validator").toReversed();
  return {
    directory,
    stream: { ...server("nats", "stream"), port: first, url: `nats://127.0.0.1:${first}` },
    publishers: sources.map((beside, at) => {
      const name = `publisher${at + 1}`;
      return { name, role: "publisher", directory: inFleet(name), beside };
    }),
    proxy: {
      ...server("proxy", "proxy"),
      ...{ httpPort: first + 3, grpcPort: first + 1, configFile: join(inFleet("proxy"), "haproxy.cfg") },
    },
    replicas: Array.from({ length: replicas }, (_, at) => {
      const name = `replica${at + 1}`;
      return { name, role: "replica", directory: inFleet(name), ports: portsFrom(first + portsEach * (at + 1)) };
    }),
  };
}
