import { type AddressInfo, createServer } from "node:net";
import type { Config } from "@vedette/config";
import { errorClass } from "@vedette/errors";

/** A port that is to be listened on. */
export interface WantedPort {
  /** As rnode's message calls it. @spec 50 §6.1 */
  readonly name: string;
  readonly port: number;
  readonly host: string;
}

/** Ports that others have. @spec 50 §6.1 */
export class PortsInUseError extends errorClass("PortsInUseError", sentence) {}

function sentence({ ports }: { readonly code: "portsInUse"; readonly ports: readonly WantedPort[] }): string {
  const names = ports.map(({ name, port }) => `${name} (${port})`).join(", ");
  return `Required ports are already in use: ${names}; stop what uses them or configure others`;
}

/**
 * Binds each port once, so that a node that cannot serve reports it before it does anything else.
 *
 * @throws {PortsInUseError} with all that are taken
 * @spec 50 §6.1 step 3
 */
export async function checkPorts(wanted: readonly WantedPort[]): Promise<void> {
  const taken: WantedPort[] = [];
  for (const one of wanted) if (one.port !== 0 && !(await isFree(one))) taken.push(one);
  if (taken.length > 0) throw new PortsInUseError({ code: "portsInUse", ports: taken });
}

async function isFree(wanted: WantedPort): Promise<boolean> {
  return (await boundPort(wanted)) !== undefined;
}

/** Binds a port, of 0 any free one, and lets it go. @returns which one; `undefined` where it is taken */
function boundPort({ port, host }: WantedPort): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(undefined));
    server.listen({ port, host, exclusive: true }, () => {
      const bound = (server.address() as AddressInfo).port;
      server.close(() => resolve(bound));
    });
  });
}

/**
 * Replaces ports for peers that are taken with free ones, where the configuration allows it.
 *
 * @param report receives a line about each
 * @spec 50 §6.1 step 3
 */
export async function withFreePeerPorts(config: Config, report: (line: string) => void): Promise<Config> {
  if (!config["protocol-server.use-random-ports"]) return config;
  const ports: { -readonly [K in PeerPort]?: number } = {};
  for (const { key, ...wanted } of peerPorts(config)) {
    if (await isFree(wanted)) continue;
    const port = await boundPort({ ...wanted, port: 0 });
    if (port === undefined) continue;
    ports[key] = port;
    report(`Using random port ${port} as ${wanted.name} port`);
  }
  return { ...config, ...ports };
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
  return hasPeers ? [...served, ...peerPorts(config).map(({ key: _, ...wanted }) => wanted)] : served;
}

type PeerPort = "protocol-server.port" | "peers-discovery.port";

function peerPorts(config: Config): (WantedPort & { readonly key: PeerPort })[] {
  const host = config["protocol-server.listen-address"] ?? "0.0.0.0";
  const named = [
    { key: "protocol-server.port", name: "RChain Protocol" },
    { key: "peers-discovery.port", name: "Kademlia" },
  ] as const;
  return named.map(({ key, name }) => ({ key, name, port: config[key], host }));
}
