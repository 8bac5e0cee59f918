import { type AddressInfo, createServer, type Server } from "node:net";
import { type Config, readConfig } from "@vedette/config";
import { afterEach, expect, test } from "vitest";
import { checkPorts, PortsInUseError, wantedPorts, withFreePeerPorts } from "./checkPorts.js";

const taken: Server[] = [];
afterEach(async () => {
  for (const server of taken.splice(0)) await new Promise((resolve) => server.close(resolve));
});

/** A port on which a server listens. */
async function takenPort(): Promise<number> {
  const server = createServer();
  taken.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

function configOf(changes: Partial<Config>): Config {
  const { config } = readConfig({ home: "/", configFile: false, environment: {} });
  return { ...config, "protocol-server.listen-address": "127.0.0.1", ...changes };
}

const ofPeers = (config: Config) => wantedPorts(config).filter(({ name }) => !/http|grpc/.test(name));

test("a port for peers that is taken is reported with its name", async () => {
  const port = await takenPort();
  const config = configOf({ "protocol-server.port": port, "peers-discovery.port": 0 });
  const lines: string[] = [];
  expect(await withFreePeerPorts(config, (line) => lines.push(line))).toBe(config);
  await expect(checkPorts(ofPeers(config))).rejects.toThrow(`RChain Protocol (${port})`);
  await expect(checkPorts(ofPeers(config))).rejects.toBeInstanceOf(PortsInUseError);
  expect(lines).toEqual([]);
});

test("where random ports may be used, a free one takes its place, and no other is changed", async () => {
  const port = await takenPort();
  const changes = { "protocol-server.port": 0, "peers-discovery.port": port, "protocol-server.use-random-ports": true };
  const config = configOf(changes);
  const lines: string[] = [];
  const free = await withFreePeerPorts(config, (line) => lines.push(line));
  const chosen = free["peers-discovery.port"];
  expect([chosen > 0, chosen === port]).toEqual([true, false]);
  expect(free).toEqual({ ...config, "peers-discovery.port": chosen });
  await checkPorts(ofPeers(free));
  expect(lines).toEqual([`Using random port ${chosen} as Kademlia port`]);
});
