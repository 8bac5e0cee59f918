import { setTimeout as sleep } from "node:timers/promises";
import { checkPorts, PortsInUseError, type WantedPort } from "@vedette/node/machine";
import { type BusyPort, LocalNetworkError } from "./LocalNetworkError.js";
import { localHost, type PortPlan } from "./planNetwork.js";
import { findPortOwner } from "./portOwner.js";

/** A process, and the ports that it needs. */
export interface PortOwnerPlan {
  readonly name: string;
  readonly ports: Partial<PortPlan> & { readonly client?: number };
}

const portNames = {
  client: "NATS",
  protocol: "peer protocol",
  grpcExternal: "gRPC",
  grpcInternal: "gRPC of the operator",
  http: "HTTP",
  discovery: "discovery",
  adminHttp: "HTTP of the operator",
} as const satisfies Record<keyof PortOwnerPlan["ports"], string>;
const pollMs = 250;

/**
 * Makes sure that every port of the network is free.
 *
 * @param patienceMs maximum wait for nodes of an earlier launcher, which are about to end
 * @throws {LocalNetworkError} `portsInUse` with each port and the process that uses it
 */
export async function checkNetworkPorts(nodes: readonly PortOwnerPlan[], patienceMs: number): Promise<void> {
  const wanted = nodes.flatMap((node) => portsOf(node));
  const giveUpMs = performance.now() + patienceMs;
  for (;;) {
    const busy = await busyPorts(wanted.map(({ place }) => place));
    if (busy.length === 0) return;
    if (performance.now() < giveUpMs) {
      await sleep(pollMs);
      continue;
    }
    const ports: BusyPort[] = [];
    for (const place of busy) {
      const { node, name } = wanted.find((one) => one.place === place)!;
      ports.push({ node, name, port: place.port, owner: await findPortOwner(place.port) });
    }
    throw new LocalNetworkError({ code: "portsInUse", ports });
  }
}

function portsOf({ name: node, ports }: PortOwnerPlan): { node: string; name: string; place: WantedPort }[] {
  return (Object.keys(portNames) as (keyof typeof portNames)[]).flatMap((kind) => {
    const port = ports[kind];
    if (port === undefined) return [];
    return [{ node, name: portNames[kind], place: { name: portNames[kind], port, host: localHost } }];
  });
}

async function busyPorts(wanted: readonly WantedPort[]): Promise<readonly WantedPort[]> {
  try {
    await checkPorts(wanted);
    return [];
  } catch (error) {
    if (error instanceof PortsInUseError) return error.failure.ports;
    throw error;
  }
}
