import { createServer } from "node:net";
import type { Config } from "@vedette/config";

/** A port that is to be listened on. */
export interface WantedPort {
  /** As the reference's message calls it. @spec 50 §6.1 */
  readonly name: string;
  readonly port: number;
  readonly host: string;
}

/** Ports that others have. @spec 50 §6.1 */
export class PortsInUseError extends Error {
  constructor(readonly failure: { readonly code: "portsInUse"; readonly ports: readonly WantedPort[] }) {
    const names = failure.ports.map(({ name, port }) => `${name} (${port})`).join(", ");
    super(`Required ports are already in use: ${names}; stop what uses them or configure others`);
    this.name = "PortsInUseError";
  }
}

/**
 * Binds each port once, so that a node that cannot serve says so before it does anything else.
 *
 * @throws {PortsInUseError} with all that are taken
 * @spec 50 §6.1 step 3
 */
export async function checkPorts(wanted: readonly WantedPort[]): Promise<void> {
  const taken: WantedPort[] = [];
  for (const one of wanted) if (one.port !== 0 && !(await isFree(one))) taken.push(one);
  if (taken.length > 0) throw new PortsInUseError({ code: "portsInUse", ports: taken });
}

function isFree({ port, host }: WantedPort): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** All ports that a node listens on. @param hasPeers whether it listens for peers, too @spec 50 §6.1 */
export function wantedPorts(config: Config, hasPeers = true): WantedPort[] {
  const apiHost = config["api-server.host"];
  const served: WantedPort[] = [
    { name: "http", port: config["api-server.port-http"], host: apiHost },
    { name: "admin http", port: config["api-server.port-admin-http"], host: config["api-server.host-admin-http"] },
    { name: "grpc server external", port: config["api-server.port-grpc-external"], host: apiHost },
    { name: "grpc server internal", port: config["api-server.port-grpc-internal"], host: apiHost },
  ];
  if (!hasPeers) return served;
  const peerHost = config["protocol-server.listen-address"] ?? "0.0.0.0";
  return [
    ...served,
    { name: "RChain Protocol", port: config["protocol-server.port"], host: peerHost },
    { name: "Kademlia", port: config["peers-discovery.port"], host: peerHost },
  ];
}
