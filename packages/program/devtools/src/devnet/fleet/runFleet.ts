import { setTimeout as sleep } from "node:timers/promises";
import type { NodeContext } from "@vedette/config";
import { checkNetworkPorts } from "../checkNetworkPorts.js";
import { contextOfNetwork } from "../contextOfNetwork.js";
import { LocalNetworkError } from "../LocalNetworkError.js";
import { nodeProgram } from "../NetworkRun.js";
import { StatusReader } from "../NodeStatus.js";
import { openNetwork } from "../openNetwork.js";
import { localHost, type NodePlan } from "../planNetwork.js";
import { runInForeground } from "../runInForeground.js";
import { introduceNetwork, type NetworkCommand } from "../runNetwork.js";
import type { ProcessCommand } from "../SupervisedProcess.js";
import { endLeftServer } from "./endLeftServer.js";
import { findServer, haproxy, natsServer } from "./findServer.js";
import { proxyProgram, publisherProgram, replicaProgram, streamProgram, writeFleetFiles } from "./fleetFiles.js";
import { type FleetPlan, type PublisherPlan, planFleet, type ReplicaPlan, type ServerPlan } from "./planFleet.js";

/** The options of `vedette fleet`. */
export interface FleetCommand extends Omit<NetworkCommand, "isOnlyPrepared"> {
  readonly replicas: number;
  /** Paths of programs, where they are not in the search path. */
  readonly natsServer: string | undefined;
  readonly haproxy: string | undefined;
}

type FleetMember = NodePlan | PublisherPlan | ReplicaPlan | ServerPlan;

const answerMs = 2_000;
const pollMs = 500;

/**
 * Runs a local network and a fleet that serves its chain, in the foreground until SIGINT, SIGTERM or SIGHUP.
 *
 * @returns the exit code: 1 when a process had to be killed
 * @throws {LocalNetworkError} what keeps it from starting
 */
export async function runFleet(command: FleetCommand): Promise<number> {
  const stream = findServer(natsServer, command.natsServer);
  if (stream === undefined)
    throw new LocalNetworkError({ code: "serverMissing", server: natsServer.name, howToGet: natsServer.howToGet });
  const proxy = findServer(haproxy, command.haproxy);
  await using network = await openNetwork(command);
  const { plan, identity, patienceMs } = network;
  const fleet = planFleet(plan, command.replicas);
  await endLeftServer(fleet.stream.port, fleet.stream.directory);
  await endLeftServer(fleet.proxy.httpPort, fleet.proxy.directory);
  await checkNetworkPorts([...fleet.replicas, ...serverPorts(fleet)], patienceMs);
  writeFleetFiles(fleet, plan, identity.networkId);
  introduceNetwork(network, { ...command, isOnlyPrepared: false });
  introduceFleet(fleet, command.style === "json", proxy !== undefined);
  const programOf = (member: FleetMember): ProcessCommand => {
    switch (member.role) {
      case "stream":
        return streamProgram(stream, fleet);
      case "proxy":
        return proxyProgram(proxy!, fleet);
      case "publisher":
        return publisherProgram(command.program, member, fleet);
      case "replica":
        return replicaProgram(command.program, member, fleet);
      default:
        return nodeProgram(command.program, member);
    }
  };
  return await runInForeground<FleetMember>({
    directory: plan.directory,
    members: [
      ...plan.nodes,
      fleet.stream,
      ...fleet.publishers,
      ...fleet.replicas,
      ...(proxy === undefined ? [] : [fleet.proxy]),
    ],
    isRestarted: command.isRestarted,
    style: command.style,
    programOf,
    // Before a publisher's node has a chain there is nothing to read, and so nothing to follow.
    beforeStart: (member, signal) => {
      if (member.role === "publisher") return untilItHasBlocks(member.beside, signal);
      return member.role === "replica" ? untilItHasBlocks(fleet.publishers[0]!.beside, signal) : nothing;
    },
    context: fleetContext(fleet, contextOfNetwork(plan, process.pid), proxy !== undefined),
    contextFile: command.contextFile,
  });
}

const nothing = Promise.resolve();

async function untilItHasBlocks({ ports }: NodePlan, signal: AbortSignal): Promise<void> {
  const status = new StatusReader(ports.http);
  while (!signal.aborted && (await status.read(answerMs))?.height === undefined)
    await sleep(pollMs, undefined, { signal }).catch(() => {});
}

/** Questions go to the fleet, by its one name where it has one. */
function fleetContext({ proxy, replicas }: FleetPlan, context: NodeContext, hasProxy: boolean): NodeContext {
  const [first] = replicas;
  const reads = hasProxy
    ? { host: localHost, grpcPort: proxy.grpcPort, httpPort: proxy.httpPort }
    : { host: localHost, grpcPort: first!.ports.grpcExternal, httpPort: first!.ports.http };
  return { ...context, reads: { ...context.reads, ...reads } };
}

/** Ports of servers that are no programs of ours, as the check of ports takes them. */
function serverPorts({ stream, proxy }: FleetPlan) {
  return [
    { name: stream.name, ports: { client: stream.port } },
    { name: proxy.name, ports: { http: proxy.httpPort, grpcExternal: proxy.grpcPort } },
  ];
}

function introduceFleet({ stream, replicas, proxy, publishers }: FleetPlan, isJson: boolean, hasProxy: boolean): void {
  const name = hasProxy ? { http: proxy.httpPort, grpc: proxy.grpcPort } : null;
  if (isJson) {
    const members = replicas.map(({ name: member, ports }) => ({ name: member, ports }));
    process.stdout.write(`${JSON.stringify({ type: "fleet", nats: stream.url, name, replicas: members })}\n`);
    return;
  }
  process.stdout.write(
    `${[
      "A fleet serves its chain:",
      name === null
        ? `  no one name for its members: ${haproxy.name} was not found; ${haproxy.howToGet}`
        : `  one name    http://${localHost}:${name.http}   gRPC ${name.grpc}   (the explorer is there, too; 503 until a member is ready)`,
      ...replicas.map(
        ({ name: member, ports }) =>
          `  ${member.padEnd(11)} http://${localHost}:${ports.http}   gRPC ${ports.grpcExternal}`,
      ),
      `  stream      ${stream.url}, filled by ${publishers.map(({ beside }) => `the ${beside.name}'s publisher`).join(" and ")}`,
      "  A member is ready when its /health/ready answers 200.",
      "",
    ].join("\n")}\n`,
  );
}
