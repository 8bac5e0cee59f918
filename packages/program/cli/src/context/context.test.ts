import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FakeNode } from "@vedette/client/fakes";
import { ContextFile } from "@vedette/config";
import { afterAll, expect, test } from "vitest";
import { type CommandHost, processHost } from "../client/CommandHost.js";
import { runCommand } from "../client/testing/runCommand.js";
import { adminPlace, resolveHttpUrl } from "./nodePlace.js";

const place = mkdtempSync(join(tmpdir(), "vedette-context-"));
const emptyList = () => ({ VEDETTE_CONTEXTS: join(mkdtempSync(join(place, "list-")), "contexts.json") });
const commandHost = (environment: Record<string, string>): CommandHost => ({ ...processHost, environment });
const answering = () =>
  FakeNode.start({
    deploys: {
      status: () => ({ message: { case: "status" as const, value: { address: "rnode://here", shardId: "root" } } }),
    },
    proposals: {
      propose: () => ({ message: { case: "result" as const, value: "Success! Block 00 created and added." } }),
    },
  });

afterAll(() => rmSync(place, { recursive: true }));

test("contexts are added, listed, chosen and removed", async () => {
  const environment = emptyList();
  const run = (...args: string[]) => runCommand(["context", ...args], { environment });
  expect((await run("list")).output).toContain("No context: commands use localhost.");
  await run("add", "one", "--host", "a.example.org");
  await run("add", "two", "--host", "b.example.org", "--read-host", "c.example.org", "--read-grpc-port", "40451");
  expect((await run("list")).output).toBe(
    "* two: writes b.example.org:40402, reads c.example.org:40451\n  one: writes a.example.org:40402\n",
  );
  await run("use", "one");
  expect((await run("list")).output).toMatch(/^\* one/);
  expect(await run("use", "three")).toMatchObject({
    exitCode: 1,
    errors: expect.stringContaining("There is no context three: known are one, two"),
  });
  expect((await run("remove", "one")).exitCode).toBe(0);
  expect(JSON.parse((await run("list", "--json")).output)).toMatchObject([{ name: "two", isUsed: true }]);
});

test("commands use the context's nodes, VEDETTE_NODE overrides it, and -H and -p override that", async () => {
  await using node = await answering();
  const port = String(node.port);
  const environment = emptyList();
  const add = (...args: string[]) =>
    runCommand(["context", "add", "here", "--host", node.host, ...args], { environment });
  await add("--grpc-port", port, "--operator-port", "1");
  expect((await runCommand(["status"], { environment })).output).toContain("rnode://here");
  expect((await runCommand(["propose"], { environment })).exitCode).toBe(1);
  await add("--grpc-port", "1", "--operator-port", port);
  expect((await runCommand(["propose"], { environment })).output).toContain("Success! Block 00");
  expect((await runCommand(["status"], { environment })).exitCode).toBe(1);
  const named = { ...environment, VEDETTE_NODE: `${node.host}:${port}` };
  expect((await runCommand(["status"], { environment: named })).output).toContain("rnode://here");
  expect((await runCommand(["status", "-p", "1"], { environment: named })).exitCode).toBe(1);
});

test("a node that cannot be meant is refused, and so is a damaged list", async () => {
  const wrong = await runCommand(["status"], { environment: { VEDETTE_NODE: "http://x:1/" } });
  expect(wrong.errors).toContain("VEDETTE_NODE must be a host, or host:port with a gRPC port");
  const damaged = await runCommand(["status"], { environment: { VEDETTE_CONTEXTS: import.meta.filename } });
  expect(damaged.errors).toContain("is damaged");
  expect(damaged.exitCode).toBe(1);
});

test("HTTP APIs are found as gRPC is: options, then VEDETTE_NODE, then the context, then this machine", () => {
  const path = join(mkdtempSync(join(place, "list-")), "contexts.json");
  const node = (name: string, port: number) => ({
    ...{ host: name, grpcPort: port, operatorPort: port + 1, httpPort: port + 2, adminPort: port + 3 },
  });
  new ContextFile(path).note({ name: "here", writes: node("writer", 1_000), reads: node("fe80::1", 2_000) });
  const inContext = commandHost({ VEDETTE_CONTEXTS: path });
  expect(resolveHttpUrl(inContext, {})).toBe("http://[fe80::1]:2002");
  expect(adminPlace(inContext, {})).toBe("http://writer:1003");
  expect(adminPlace(inContext, {}, "reads")).toBe("http://[fe80::1]:2003");
  expect(resolveHttpUrl(inContext, { httpPort: 7 })).toBe("http://localhost:7");
  expect(adminPlace(inContext, { host: "other" })).toBe("http://other:40405");
  const named = commandHost({ VEDETTE_CONTEXTS: path, VEDETTE_NODE: "[::1]:40401" });
  expect(resolveHttpUrl(named, {})).toBe("http://[::1]:40403");
  expect(adminPlace(named, {})).toBe("http://[::1]:40405");
  expect(resolveHttpUrl(named, { host: "other" })).toBe("http://other:40403");
  expect(() => resolveHttpUrl(commandHost({ VEDETTE_NODE: "http://x:1/" }), {})).toThrow("VEDETTE_NODE must be a host");
});
