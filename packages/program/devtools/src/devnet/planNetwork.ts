import { join } from "node:path";
import type { NetworkSettings } from "./NetworkSettings.js";

/** The role of a node in a local network. */
export type NodeRole = "bootstrap" | "validator" | "observer";

/** The role of a process on this machine: a node of the network, or a part of a fleet that serves its chain. */
export type MemberRole = NodeRole | "publisher" | "replica" | "stream" | "proxy";

/** One process that is run and watched. */
export interface MemberPlan {
  readonly name: string;
  readonly role: MemberRole;
  /** Where its log is, and most of what it keeps. */
  readonly directory: string;
  /** Ports of members that serve an HTTP API. */
  readonly ports?: Pick<PortPlan, "http">;
}

/** The ports of one node, all of the same machine. @spec 50 §5.3 */
export interface PortPlan {
  readonly protocol: number;
  readonly grpcExternal: number;
  readonly grpcInternal: number;
  readonly http: number;
  readonly discovery: number;
  readonly adminHttp: number;
}

/** One process of a local network. */
export interface NodePlan extends MemberPlan {
  readonly role: NodeRole;
  /** The host name that others use for it. */
  readonly host: string;
  readonly ports: PortPlan;
  /** Others join through this one. */
  readonly isBootstrap: boolean;
  /** Its stake is part of genesis. */
  readonly isGenesisValidator: boolean;
}

/** All processes of a local network, the one that others join through first. */
export interface NetworkPlan {
  readonly directory: string;
  readonly settings: NetworkSettings;
  readonly bondsFile: string;
  readonly walletsFile: string;
  readonly nodes: readonly NodePlan[];
}

/** Where the nodes are. */
export interface Placement {
  /** Which ports the node at an index of the plan has; without it, ten from the base port on for each. */
  readonly choosePorts?: (index: number) => PortPlan;
  /** Whether each node has a separate host with the node's name, as in a compose file; else all share this machine. */
  readonly hasOwnHosts?: boolean;
}

/** The address that only this machine has. */
export const localHost = "127.0.0.1";

/** How far the observer's ports are from the first ones, as in the published compose files. @spec 50 §7 */
const observerIndex = 5;

/**
 * The processes of a local network: a bootstrap node that leads the ceremony, the validators, an observer.
 *
 * One validator alone needs no others and makes its genesis by itself: it is the bootstrap node, standalone.
 *
 * @spec 50 §5.5, §7
 */
export function planNetwork(directory: string, settings: NetworkSettings, placement: Placement = {}): NetworkPlan {
  const { validators, basePort } = settings;
  const { choosePorts = (index: number) => portsFrom(basePort + 10 * index), hasOwnHosts = false } = placement;
  const node = (name: string, role: NodeRole, index: number): NodePlan => ({
    name,
    role,
    directory: join(directory, name),
    host: hasOwnHosts ? name : localHost,
    ports: choosePorts(index),
    isBootstrap: index === 0 || (validators === 1 && role === "validator"),
    isGenesisValidator: role === "validator",
  });
  const first = validators === 1 ? [] : [node("bootstrap", "bootstrap", 0)];
  const signing = Array.from({ length: validators }, (_, at) => node(`validator${at + 1}`, "validator", at + 1));
  const observer = node("observer", "observer", Math.max(observerIndex, validators + 1));
  return {
    directory,
    settings,
    bondsFile: join(directory, "genesis", "bonds.txt"),
    walletsFile: join(directory, "genesis", "wallets.txt"),
    nodes: [...first, ...signing, observer],
  };
}

/** A validator or observer that comes later. */
export function planJoiner(plan: NetworkPlan, name: string, role: NodeRole, ports: PortPlan): NodePlan {
  const directory = join(plan.directory, name);
  return { name, role, directory, host: localHost, ports, isBootstrap: false, isGenesisValidator: false };
}

/** The node that others join through. */
export function bootstrapOf(plan: NetworkPlan): NodePlan {
  return plan.nodes.find(({ isBootstrap }) => isBootstrap)!;
}

/** Ports in the order that every published configuration has. @spec 50 §5.5 */
export function portsFrom(first: number): PortPlan {
  return {
    protocol: first,
    grpcExternal: first + 1,
    grpcInternal: first + 2,
    http: first + 3,
    discovery: first + 4,
    adminHttp: first + 5,
  };
}

/** How many validators have to approve genesis: all but one, so that the ceremony is a real one. @spec 40 §10.2 */
export function requiredSignatures({ validators }: NetworkSettings): number {
  return validators - 1;
}
