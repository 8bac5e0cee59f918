import { basename } from "node:path";
import type { ContextAddress, NodeContext } from "@vedette/config";
import type { NetworkPlan, NodePlan } from "./planNetwork.js";

/** How commands reach a network: deploys go to its first validator, questions to its observer. */
export function contextOfNetwork({ directory, nodes, settings }: NetworkPlan, pid: number): NodeContext {
  const [first] = nodes;
  const writes = addressOf(nodes.find(({ role }) => role === "validator") ?? first!);
  const reads = addressOf(nodes.find(({ role }) => role === "observer") ?? first!);
  const name = basename(directory)
    .replaceAll(/[^\w.-]/g, "-")
    .slice(0, 64);
  return { name: name === "" ? "network" : name, writes, reads, dialect: settings.dialect, pid };
}

function addressOf({ host, ports }: NodePlan): ContextAddress {
  return { host, grpcPort: ports.grpcExternal, operatorPort: ports.grpcInternal, httpPort: ports.http };
}
