import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "@vedette/config";
import { afterEach, beforeEach, expect, test } from "vitest";
import { newSettings } from "../NetworkSettings.js";
import { planNetwork } from "../planNetwork.js";
import { findServer, natsServer } from "./findServer.js";
import { publisherProgram, replicaProgram, streamProgram, writeFleetFiles } from "./fleetFiles.js";
import { planFleet } from "./planFleet.js";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "vedette-fleet-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

test("a fleet has publishers beside nodes that make no blocks, and separate ports", () => {
  const network = planNetwork(folder, newSettings({ basePort: 20_000 }));
  const fleet = planFleet(network, 4);
  expect(fleet.publishers.map(({ beside }) => beside.name)).toEqual(["observer", "bootstrap"]);
  expect(fleet.replicas.map(({ name }) => name)).toEqual(["replica1", "replica2", "replica3", "replica4"]);
  const ports = [
    ...[...network.nodes, ...fleet.replicas].flatMap((node) => Object.values(node.ports)),
    ...[fleet.stream.port, fleet.proxy.httpPort, fleet.proxy.grpcPort],
  ];
  expect(new Set(ports).size).toBe(ports.length);
  const lone = planFleet(planNetwork(folder, newSettings({ validators: 1 })), 1);
  expect(lone.publishers.map(({ beside }) => beside.name)).toEqual(["observer"]);
});

test("the configuration of each member has the addresses of the others", () => {
  const network = planNetwork(folder, newSettings({ basePort: 20_000, faultTolerance: 0.25 }));
  const fleet = planFleet(network, 2);
  writeFleetFiles(fleet, network, "test-network");
  const [replica] = fleet.replicas;
  const { args } = replicaProgram("vedette.js", replica!, fleet);
  expect(args.slice(0, 3)).toEqual(["vedette.js", "replica", "-c"]);
  expect(args.slice(-2)).toEqual(["--nats", "nats://127.0.0.1:20060"]);
  const { config, warnings } = readConfig({ home: "/", configFile: args[3], environment: {} });
  expect(warnings).toEqual([]);
  expect(config).toMatchObject({
    "storage.data-dir": replica!.directory,
    "protocol-server.network-id": "test-network",
    "casper.fault-tolerance-threshold": 0.25,
    "api-server.host": "127.0.0.1",
    "api-server.proxies.trusted": ["127.0.0.1"],
    "api-server.port-http": replica!.ports.http,
    "api-server.explorer-validator": "http://127.0.0.1:20013",
  });
  const observer = network.nodes.at(-1)!;
  expect(publisherProgram("vedette.js", fleet.publishers[0]!, fleet).args).toEqual([
    ...["vedette.js", "publish", "-c", join(observer.directory, "rnode.conf"), "--nats", fleet.stream.url],
  ]);
  expect(streamProgram("nats-server", fleet).args).toContain(fleet.stream.directory);
});

test("servers are found in the search path or at a given path; a missing one is reported", () => {
  expect(findServer(natsServer, undefined, folder)).toBeUndefined();
  const program = join(folder, "nats-server");
  writeFileSync(program, "#!/bin/sh\n");
  expect(findServer(natsServer, undefined, `:/nonexistent:${folder}`)).toBeUndefined();
  chmodSync(program, 0o700);
  expect(findServer(natsServer, undefined, `:/nonexistent:${folder}`)).toBe(program);
  expect(findServer(natsServer, program, "")).toBe(program);
  expect(() => findServer(natsServer, folder, "")).toThrow(/was not found: get it from https:.*--nats-server/);
});
