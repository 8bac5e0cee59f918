// Covers: cli, config, devtools/devnet
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { readConfig } from "@vedette/config";
import { goProgram } from "@vedette/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";

const run = promisify(execFile);
const chart = fileURLToPath(new URL("../../../../../docker/chart", import.meta.url));
const program = fileURLToPath(new URL("../../../cli/bin/vedette.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "vedette-chart-"));
const bootstrap = `rnode://${"ab".repeat(20)}@peer.example.org?protocol=40400&discovery=40404`;
const block = "cd".repeat(32);

interface Container {
  readonly name: string;
  readonly image: string;
  readonly args: readonly string[];
  readonly securityContext: object;
  readonly volumeMounts: readonly { readonly name: string }[];
  readonly readinessProbe?: object;
}

interface Made {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec: {
    readonly replicas?: number;
    readonly selector?: { readonly matchLabels?: object } & object;
    readonly template: { readonly metadata: { readonly labels: object }; readonly spec: PodSpec };
    readonly volumeClaimTemplates: readonly { readonly metadata: { readonly name: string } }[];
    readonly ports: readonly { readonly port: number }[];
  };
}

interface PodSpec {
  readonly containers: readonly Container[];
  readonly volumes: readonly { readonly name: string }[];
}

/** All that can be switched on. */
const everything = [
  `network.bootstrap=${bootstrap}`,
  "observers[0].name=one",
  "observers[0].host=1.2.3.4",
  "observers[1].name=two",
  "snapshots.enabled=true",
  "snapshots.place=s3://bucket/vedette",
  "snapshots.endpoint=http://s3:7070",
  "snapshots.existingSecret=s3-keys",
  "nats.existingSecret=nats-user",
  "index.existingSecret=index-url",
  "replica.snapshot.place=s3://bucket/vedette/one",
  `replica.snapshot.block=${block}`,
  "replica.autoscaling.enabled=true",
  "replica.trustedProxies[0]=10.0.0.0/8",
  "ingress.enabled=true",
  "ingress.host=vedette.example.org",
  "ingress.tlsSecret=tls",
  "metrics.podMonitor=true",
];

let helm: string;
beforeAll(() => {
  helm = goProgram("helm.sh/helm/v4/cmd/helm", "v4.3.1");
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns the objects that the chart makes of some values. */
async function made(values: readonly string[]): Promise<readonly Made[]> {
  const set = values.flatMap((one) => ["--set", one]);
  const { stdout } = await run(helm, ["template", "fleet", chart, ...set], { maxBuffer: 1 << 24 });
  return parseAllDocuments(stdout).flatMap((document) => {
    expect(document.errors).toEqual([]);
    return document.toJS() === null ? [] : [document.toJS() as Made];
  });
}

describe("the chart", () => {
  test("has nothing that helm finds wrong", async () => {
    for (const values of [[], everything]) {
      const set = values.flatMap((one) => ["--set", one]);
      const { stdout } = await run(helm, ["lint", "--strict", chart, ...set]);
      expect(stdout).toContain("0 chart(s) failed");
    }
  });

  test.each([
    { what: "as it is", values: [] },
    { what: "with all that can be switched on", values: everything },
  ])("$what: commands and configurations are ones that the program takes", async ({ values }) => {
    const all = await made(values);
    const [config] = all.filter(({ kind }) => kind === "ConfigMap");
    for (const [name, text] of Object.entries(config!.data!)) {
      const configFile = join(folder, name);
      writeFileSync(configFile, text);
      const environment = { OBSERVER_HOST: "1.2.3.4", INDEX_POSTGRES_URL: "postgres://user:word@host:5432/base" };
      const read = readConfig({ home: "/", profile: "docker", configFile, environment });
      expect(read.warnings).toEqual([]);
      expect(read.config["protocol-server.network-id"]).toBe("devnet1");
      expect(read.config["metrics.prometheus"]).toBe(true);
    }
    const sets = all.filter(({ kind }) => kind === "StatefulSet");
    expect(sets).toHaveLength(3);
    for (const { spec } of sets) {
      expect(spec.template.metadata.labels).toMatchObject(spec.selector!.matchLabels!);
      const volumes = [...spec.template.spec.volumes, ...spec.volumeClaimTemplates.map(({ metadata }) => metadata)];
      for (const { name, args, volumeMounts, securityContext } of spec.template.spec.containers) {
        expect(volumes.map((volume) => volume.name)).toEqual(
          expect.arrayContaining(volumeMounts.map((mount) => mount.name)),
        );
        expect(securityContext).toMatchObject({ readOnlyRootFilesystem: true, allowPrivilegeEscalation: false });
        const { stdout: help } = await run(process.execPath, [program, ...args.filter(isWord), "--help"]);
        for (const option of args.filter((arg) => arg.startsWith("-")))
          expect(help, `${name}: ${option}`).toContain(option.split("=")[0]);
      }
    }
  });

  test("the one name leads to the replicas alone, by the ports of their configuration", async () => {
    const all = await made(everything);
    const one = all.find(({ kind, metadata }) => kind === "Service" && metadata.name === "fleet-vedette-fleet")!;
    const replicas = all.find(({ kind, metadata }) => kind === "StatefulSet" && metadata.name.endsWith("-replica"))!;
    expect(replicas.spec.template.metadata.labels).toMatchObject(one.spec.selector!);
    for (const { kind, metadata, spec } of all)
      if (kind === "StatefulSet" && metadata.name !== replicas.metadata.name)
        expect(spec.template.metadata.labels).not.toMatchObject(one.spec.selector!);
    expect(one.spec.ports.map(({ port }) => port)).toEqual([40403, 40401]);
    const [{ args, readinessProbe }] = replicas.spec.template.spec.containers as [Container];
    expect(args).toContain(`--block=${block}`);
    expect(readinessProbe).toMatchObject({ httpGet: { path: "/health/ready" } });
    // How many there are is the autoscaler's.
    expect(replicas.spec.replicas).toBeUndefined();
    expect(all.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(["Ingress", "PodMonitor", "PodDisruptionBudget"]),
    );
  });

  test.each([
    ["snapshots.enabled=true", "snapshots.place is where snapshots lie"],
    ["replica.snapshot.place=s3://bucket/x", "replica.snapshot.block is the whole hash"],
    ["ingress.enabled=true", "ingress.host is the name that readers know"],
    ["network.bootstrap=somewhere", "bootstrap"],
    ["nats.url=localhost:4222", "url"],
    ["replica.quorum=0", "quorum"],
    ["replicas=3", "replicas"],
  ])("%s is refused with words", async (value, words) => {
    await expect(run(helm, ["template", "fleet", chart, "--set", value])).rejects.toThrow(words);
  });
});

function isWord(arg: string): boolean {
  return !arg.startsWith("-") && !arg.startsWith("/");
}
