import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { readConfig } from "@vedette/config";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { allocatorSettings } from "./NetworkRun.js";
import { defaultSettings } from "./NetworkSettings.js";
import { planNetwork, portsFrom } from "./planNetwork.js";

const root = new URL("../../../../../", import.meta.url);
const run = promisify(execFile);
const read = (path: string) => readFileSync(new URL(path, root), "utf8");
const nodeInImage = "/nodejs/bin/node";
const rootOfImage = "/opt/vedette/";

describe("the image", () => {
  const lines = read("docker/Dockerfile").split("\n");

  test("every path that is copied from the checkout exists, and is not kept from the build", () => {
    const allowed = read("docker/Dockerfile.dockerignore")
      .split("\n")
      .filter((line) => line.startsWith("!"))
      .map((line) => line.slice(1));
    const copied = lines
      .filter((line) => line.startsWith("COPY ") && !line.includes("--from="))
      .flatMap((line) => line.split(/\s+/).slice(1, -1));
    expect(copied.length).toBeGreaterThan(5);
    for (const path of copied) {
      expect(existsSync(new URL(path, root)), path).toBe(true);
      expect(allowed, path).toContain(path);
    }
  });

  test("its allocator works as in a local network", () => {
    const settings = Object.fromEntries(
      lines
        .filter((line) => line.startsWith("ENV "))
        .flatMap((line) => line.split(/\s+/).slice(1))
        .map((pair) => pair.split("=") as [string, string]),
    );
    expect(settings).toMatchObject(allocatorSettings);
  });

  test("the program that users call sets it likewise, unless they have set it", async () => {
    const program = fileURLToPath(new URL("packages/program/cli/bin/vedette.js", root));
    const printEnvironment = "process.stdout.write(JSON.stringify(process.env)+String.fromCharCode(10))";
    const environment = {
      ...process.env,
      NODE_OPTIONS: `--import=data:text/javascript,${printEnvironment}`,
      MALLOC_ARENA_MAX: "7",
    };
    const { stdout } = await run(program, ["--version"], { env: environment });
    const [settings, version] = stdout.trim().split("\n");
    expect(JSON.parse(settings!)).toMatchObject({ ...allocatorSettings, MALLOC_ARENA_MAX: "7" });
    expect(version).toMatch(/^Vedette \d/);
  });

  test("what it runs is in it", () => {
    const commands = [...read("docker/Dockerfile").matchAll(/(?:ENTRYPOINT|CMD) (\[.*\])/g)].map(
      ([, json]) => JSON.parse(json!) as string[],
    );
    const programs = commands.filter(([first]) => first === nodeInImage).map(([, program]) => program!);
    // The program's place is that of the npm package; the other file is copied to where it is looked for.
    expect(programs).toEqual([`${rootOfImage}docker/healthCheck.mjs`, `${rootOfImage}dist/main.js`]);
    expect(read("docker/Dockerfile")).toContain(`cp docker/healthCheck.mjs ${rootOfImage}docker/`);
  });

  test("it runs as a user without rights, and has the volume and the ports of the protocol", () => {
    const last = lines.slice(lines.findLastIndex((line) => line.startsWith("FROM "))).join("\n");
    expect(last).toMatch(/^FROM \S+:nonroot$/m);
    expect(last).toMatch(/^VOLUME \/var\/lib\/rnode$/m);
    expect(last).toContain(`EXPOSE ${Object.values(portsFrom(40_400)).join(" ")}`);
  });

  test("its health is that of the API", async () => {
    let answer: readonly [number, string] = [200, '{"version":"Vedette"}'];
    const server = createServer((_request, response) => response.writeHead(answer[0]).end(answer[1]));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { port: number };
    const script = fileURLToPath(new URL("docker/healthCheck.mjs", root));
    const isHealthy = () =>
      run(process.execPath, [script, String(port)]).then(
        () => true,
        () => false,
      );
    expect(await isHealthy()).toBe(true);
    answer = [500, '{"version":"Vedette"}'];
    expect(await isHealthy()).toBe(false);
    answer = [200, "busy"];
    expect(await isHealthy()).toBe(false);
    await new Promise((resolve) => server.close(resolve));
    expect(await isHealthy()).toBe(false);
  });
});

describe("compose files", () => {
  test("the whole network has the nodes and ports of the plan", () => {
    const services = servicesOf("docker/network.yml");
    const { nodes } = planNetwork("/var/lib/rnode", { ...defaultSettings, basePort: 40_400 }, { hasOwnHosts: true });
    expect([...services.keys()]).toEqual(["setup", ...nodes.map(({ name }) => name)]);
    for (const { name, ports, directory } of nodes) {
      const text = services.get(name)!;
      expect(text).toContain(`command: ["run", "-c", "${directory}/rnode.conf"]`);
      expect(text).toContain(`"127.0.0.1:${ports.protocol}-${ports.adminHttp}:${ports.protocol}-${ports.adminHttp}"`);
      expect(text).toContain(`healthCheck.mjs", "${ports.http}"]`);
    }
  });

  test("the observer's ports are those of its configuration, which is read without a warning", () => {
    const configFile = fileURLToPath(new URL("docker/conf/observer.conf", root));
    const { config, warnings } = readConfig({ home: "/", profile: "docker", configFile, environment: {} });
    expect(warnings).toEqual([]);
    expect(config["storage.data-dir"]).toBe("/var/lib/rnode");
    expect(config["protocol-server.host"]).toBeUndefined();
    const ports = [
      config["protocol-server.port"],
      config["api-server.port-grpc-external"],
      config["api-server.port-grpc-internal"],
      config["api-server.port-http"],
      config["peers-discovery.port"],
      config["api-server.port-admin-http"],
    ];
    // Only public ports are open beyond the host; a container's loopback is not reachable from outside.
    const isOpen = [true, true, false, true, true, false];
    expect(ports).toEqual([40450, 40451, 40452, 40453, 40454, 40455]);
    expect(observer().ports).toEqual(ports.map((port, index) => `${isOpen[index] ? "" : "127.0.0.1:"}${port}:${port}`));
    expect([config["api-server.host"], config["api-server.host-admin-http"]]).toEqual(["0.0.0.0", "0.0.0.0"]);
    expect(observer().healthcheck.test.at(-1)).toBe(String(config["api-server.port-http"]));
    const environment = {
      BOOTSTRAP: `rnode://${"ab".repeat(20)}@peer?protocol=1&discovery=2`,
      OBSERVER_HOST: "me",
      NETWORK_ID: "n",
    };
    expect(observer().environment.toSorted()).toEqual(Object.keys(environment).toSorted());
    const other = readConfig({ home: "/", configFile, environment }).config;
    expect(other["protocol-client.bootstrap"]).toBe(environment.BOOTSTRAP);
    expect([other["protocol-server.host"], other["protocol-client.network-id"]]).toEqual(["me", "n"]);
  });

  test("the observer's container is what operators of the network expect", () => {
    expect(observer()).toMatchObject({
      container_name: "observer",
      restart: "unless-stopped",
      volumes: ["./data:/var/lib/rnode/", "./conf/observer.conf:/var/lib/rnode/rnode.conf:ro"],
      deploy: {
        resources: { limits: { cpus: "2.0", memory: "8G" }, reservations: { cpus: "1.0", memory: "4G" } },
      },
      logging: { driver: "json-file", options: { "max-size": "10m", "max-file": "3" } },
    });
    expect(existsSync(new URL("docker/conf/observer.conf", root))).toBe(true);
    expect(read("docker/.env.example")).toMatch(/^OBSERVER_HOST=\S+$/m);
    expect(observer()).toMatchObject({ cap_drop: ["ALL"], security_opt: ["no-new-privileges:true"], read_only: true });
  });
});

interface ObserverService {
  readonly ports: readonly string[];
  readonly environment: readonly string[];
  readonly healthcheck: { readonly test: readonly string[] };
}

function observer(): ObserverService {
  const { services } = parse(read("docker/observer.yml")) as {
    readonly services: { readonly observer: ObserverService };
  };
  expect(Object.keys(services)).toEqual(["observer"]);
  return services.observer;
}

/** The text of each service. */
function servicesOf(path: string): Map<string, string> {
  const [, body] = /^services:\n([\s\S]*?)^(?=\S)/m.exec(read(path))!;
  const parts = body!.split(/^ {2}(?=[a-z0-9]+:\n)/m).slice(1);
  return new Map(parts.map((part) => [part.slice(0, part.indexOf(":")), part]));
}
