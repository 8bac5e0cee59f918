import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ownProgram } from "../NetworkRun.js";
import { configFile, configPath } from "../networkFiles.js";
import { printConfig } from "../nodeConfig.js";
import { localHost, type NetworkPlan } from "../planNetwork.js";
import type { ProcessCommand } from "../SupervisedProcess.js";
import type { FleetPlan, PublisherPlan, ReplicaPlan } from "./planFleet.js";
import { fleetFile } from "./planFleet.js";
import { proxyConfig } from "./proxyConfig.js";

/** Makes the folders of a fleet, and what its members read. */
export function writeFleetFiles(fleet: FleetPlan, network: NetworkPlan, networkId: string): void {
  const { directory, stream, publishers, replicas, proxy } = fleet;
  for (const member of [stream, proxy, ...publishers, ...replicas])
    mkdirSync(member.directory, { recursive: true, mode: 0o700 });
  writeFileSync(join(directory, fleetFile), `${JSON.stringify({ kind: "vedette local fleet" })}\n`, { mode: 0o600 });
  for (const replica of replicas)
    writeFileSync(join(replica.directory, configFile), replicaConfig(replica, network, networkId), { mode: 0o600 });
  const members = replicas.map(({ name, ports }) => ({
    ...{ name, host: localHost, httpPort: ports.http, grpcPort: ports.grpcExternal },
  }));
  const { httpPort, grpcPort } = proxy;
  writeFileSync(proxy.configFile, proxyConfig({ host: localHost, httpPort, grpcPort, members }), { mode: 0o600 });
}

/** The server of the stream. @param server path of `nats-server` */
export function streamProgram(server: string, { stream }: FleetPlan): ProcessCommand {
  const args = ["-sd", stream.directory, "-a", localHost, "-p", String(stream.port), "-js"];
  return { command: server, args, environment: process.env };
}

/** The proxy. @param server path of `haproxy` */
export function proxyProgram(server: string, { proxy }: FleetPlan): ProcessCommand {
  return { command: server, args: ["-db", "-f", proxy.configFile], environment: process.env };
}

/** A publisher, with its node's own configuration. @param vedette path of the program that users call */
export function publisherProgram(vedette: string, { beside }: PublisherPlan, { stream }: FleetPlan): ProcessCommand {
  return ownProgram(vedette, ["publish", "-c", configPath(beside), "--nats", stream.url]);
}

/** A replica. @param vedette path of the program that users call */
export function replicaProgram(vedette: string, { directory }: ReplicaPlan, { stream }: FleetPlan): ProcessCommand {
  return ownProgram(vedette, ["replica", "-c", join(directory, configFile), "--nats", stream.url]);
}

function replicaConfig({ name, directory, ports }: ReplicaPlan, network: NetworkPlan, networkId: string): string {
  const validator = network.nodes.find(({ role }) => role === "validator")!;
  return printConfig(name, {
    "storage.data-dir": directory,
    "protocol-server.network-id": networkId,
    "casper.fault-tolerance-threshold": network.settings.faultTolerance,
    "api-server.host": localHost,
    // The proxy's, which is on this machine.
    "api-server.proxies.trusted": [localHost],
    "api-server.port-http": ports.http,
    "api-server.port-admin-http": ports.adminHttp,
    "api-server.port-grpc-external": ports.grpcExternal,
    "api-server.port-grpc-internal": ports.grpcInternal,
    "api-server.explorer-validator": `http://${localHost}:${validator.ports.http}`,
  });
}
