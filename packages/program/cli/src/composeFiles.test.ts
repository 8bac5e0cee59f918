import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readConfig } from "@vedette/config";
import { proxyConfig } from "@vedette/devtools/devnet";
import type { Command } from "commander";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { vedetteProgram } from "./vedetteProgram.js";

const docker = fileURLToPath(new URL("../../../../docker/", import.meta.url));
const files = readdirSync(docker).filter((name) => name.endsWith(".yml"));

interface Service {
  readonly image: string;
  readonly command?: readonly string[];
  readonly volumes?: readonly string[];
  /** With what is special to one service. */
  readonly networks?: Readonly<Record<string, { readonly ipv4_address?: string }>>;
  readonly depends_on?: readonly string[] | Readonly<Record<string, object>>;
}

const servicesOf = (file: string) => {
  const { services = {}, volumes = {} } = parse(readFileSync(join(docker, file), "utf8"), { merge: true }) as {
    readonly services?: Readonly<Record<string, Service>>;
    readonly volumes?: Readonly<Record<string, unknown>>;
  };
  return { services, volumes };
};

test.each(files)("what %s calls our program with are commands and options of it; what it names is there", (file) => {
  const { services, volumes } = servicesOf(file);
  for (const [name, service] of Object.entries(services)) {
    for (const other of Object.keys(service.depends_on ?? {}).filter((key) => Number.isNaN(Number(key))))
      expect(services, `${name} needs ${other}`).toHaveProperty(other);
    for (const volume of service.volumes ?? []) {
      const [from = ""] = volume.split(":");
      if (!/^[./]/.test(from)) expect(volumes, `${name} has ${volume}`).toHaveProperty(from);
    }
    if (!/VEDETTE_IMAGE/.test(service.image)) continue;
    const { command, rest } = commandOf(service.command ?? ["run"]);
    for (const word of rest.filter((one) => one.startsWith("-"))) {
      const [flag] = word.split("=");
      expect(
        command.options.some(({ long, short }) => long === flag || short === flag),
        `${name}: ${word}`,
      ).toBe(true);
    }
  }
});

test("the fleet's members have ports of their own, and its proxy is before all replicas", () => {
  const { services } = servicesOf("fleet.yml");
  const replicas = Object.keys(services).filter((name) => name.startsWith("replica"));
  const configOf = (name: string) =>
    readConfig({ home: "/", profile: "docker", configFile: join(docker, "conf", name), environment: {} });
  const { config, warnings } = configOf("fleet-replica.conf");
  expect(warnings).toEqual([]);
  const [httpPort, grpcPort] = [config["api-server.port-http"], config["api-server.port-grpc-external"]];
  const members = replicas.map((name) => ({ name, host: name, httpPort, grpcPort }));
  // Docker's own name server.
  const made = proxyConfig({ host: "*", httpPort: 40403, grpcPort: 40401, members, resolver: "127.0.0.11:53" });
  expect(readFileSync(join(docker, "conf", "haproxy.cfg"), "utf8")).toBe(made);
  expect(config["api-server.proxies.trusted"]).toEqual([services["proxy"]!.networks!["fleet"]!.ipv4_address]);
  const observer = configOf("fleet-observer.conf");
  expect(observer.warnings).toEqual([]);
  expect(observer.config["index.enabled"]).toBe(true);
  for (const key of ["casper.fault-tolerance-threshold", "casper.shard-name", "protocol-server.network-id"] as const)
    expect(config[key], key).toBe(observer.config[key]);
});

function commandOf(words: readonly string[]): { command: Command; rest: readonly string[] } {
  let command = vedetteProgram();
  for (const [at, word] of words.entries()) {
    const next = command.commands.find((one) => one.name() === word);
    if (next === undefined) {
      expect(at, words.join(" ")).toBeGreaterThan(0);
      return { command, rest: words.slice(at) };
    }
    command = next;
  }
  return { command, rest: [] };
}
