import { createRequire } from "node:module";
import { create, createFileRegistry, fromBinary } from "@bufbuild/protobuf";
import { type FileDescriptorProto, FileDescriptorProtoSchema, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { Code, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { ServerReflection } from "@vedette/api/grpc";
import { TestQueries } from "@vedette/queries/testing";
import { GrpcReflection } from "grpc-js-reflection-client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { answerOf, beginCall, framed, GrpcTest } from "../testing/grpcTest.js";
import { Workbench, WorkbenchError } from "./workbench/Workbench.js";

type Asked =
  Parameters<ReturnType<typeof reflection>["serverReflectionInfo"]>[0] extends AsyncIterable<infer R> ? R : never;

/** Begins no threads: the test only checks whether a method is there, not what it does. */
class BusyWorkbench extends Workbench {
  override run(): Promise<never> {
    return this.diagnose();
  }

  override diagnose(): Promise<never> {
    return Promise.reject(new WorkbenchError({ code: "busy" }));
  }
}

const workbench = new BusyWorkbench();
let server: GrpcTest;
beforeAll(async () => {
  server = await GrpcTest.start(TestQueries.empty().queries(), {}, { workbench });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await workbench[Symbol.asyncDispose]();
});

function reflection(port: "external" | "internal") {
  const transport = createGrpcTransport({ baseUrl: `http://127.0.0.1:${server.ports[port]}` });
  return createClient(ServerReflection, transport);
}

async function ask(port: "external" | "internal", messageRequest: Asked["messageRequest"]) {
  async function* requests() {
    yield { messageRequest } as Asked;
  }
  for await (const { messageResponse } of reflection(port).serverReflectionInfo(requests())) return messageResponse;
  throw new Error("no answer");
}

async function servicesAt(port: "external" | "internal"): Promise<string[]> {
  const answer = await ask(port, { case: "listServices", value: "" });
  return answer.case === "listServicesResponse" ? answer.value.service.map(({ name }) => name) : [];
}

async function filesOf(symbol: string): Promise<FileDescriptorProto[]> {
  const answer = await ask("external", { case: "fileContainingSymbol", value: symbol });
  if (answer.case !== "fileDescriptorResponse") return [];
  return answer.value.fileDescriptorProto.map((bytes) => fromBinary(FileDescriptorProtoSchema, bytes));
}

/** Each file after those that it refers to, as the registry wants them. */
function sorted(files: readonly FileDescriptorProto[]): FileDescriptorProto[] {
  const done = new Set<FileDescriptorProto>();
  const add = (file: FileDescriptorProto) => {
    for (const name of file.dependency) add(files.find((one) => one.name === name)!);
    done.add(file);
  };
  files.forEach(add);
  return [...done];
}

const everywhere = [
  "grpc.health.v1.Health",
  "grpc.reflection.v1.ServerReflection",
  "grpc.reflection.v1alpha.ServerReflection",
];
const served = {
  external: ["casper.v1.DeployService", ...everywhere, "vedette.v1.DeployNotes", "vedette.v1.Light"],
  internal: [
    ...["casper.v1.DeployService", "casper.v1.ProposeService", ...everywhere],
    ...["lsp.Lsp", "repl.Repl", "vedette.v1.DeployNotes", "vedette.v1.Light"],
  ],
};

test("each port lists its services", async () => {
  expect(await servicesAt("external")).toEqual(served.external);
  expect(await servicesAt("internal")).toEqual(served.internal);
});

test("a tool that knows nothing can read a service and every message of it", async () => {
  const files = await filesOf("casper.v1.DeployService");
  const registry = createFileRegistry(create(FileDescriptorSetSchema, { file: sorted(files) }));
  expect(registry.getService("casper.v1.DeployService")?.methods.length).toBe(19);
  expect(registry.getMessage("rhoapi.Par")?.fields.length).toBe(10);
  for (const symbol of ["casper.LightBlockInfo", "casper.v1.DeployService.doDeploy", "rhoapi.Var.WildcardMsg"])
    expect((await filesOf(symbol)).length).toBeGreaterThan(0);
});

test("an unknown name is not found", async () => {
  for (const asked of [
    { case: "fileContainingSymbol", value: "casper.v1.ProposeService" },
    { case: "fileByFilename", value: "../secret" },
    { case: "allExtensionNumbersOfType", value: "x" },
  ] as const) {
    const answer = await ask("external", asked);
    expect(answer.case === "errorResponse" && answer.value.errorCode).toBe(Code.NotFound);
  }
});

describe.each(["v1", "v1alpha"] as const)("a stock client of reflection %s", (version) => {
  test.each(["external", "internal"] as const)("lists and describes all that stands on the %s port", async (port) => {
    const client = stockClient(port, version);
    expect(await client.listServices()).toEqual(served[port]);
    const methods = new Map<string, readonly string[]>();
    for (const service of served[port])
      methods.set(
        service,
        (await client.listMethods(service)).map(({ name }) => name),
      );
    expect(methods.get("casper.v1.DeployService")).toHaveLength(19);
    expect(methods.get("vedette.v1.DeployNotes")).toEqual(["deployNote"]);
    expect(methods.get("vedette.v1.Light")).toHaveLength(9);
    expect(methods.get("grpc.health.v1.Health")).toEqual(["Check", "List", "Watch"]);
    if (port === "internal") {
      expect(methods.get("repl.Repl")).toEqual(["Run", "Eval"]);
      expect(methods.get("lsp.Lsp")).toEqual(["Validate"]);
      expect(methods.get("casper.v1.ProposeService")).toEqual(["propose", "proposeResult"]);
    }
    // Listed methods are served: a call of each is answered by it, and not by the answer for unknown services.
    for (const [service, names] of methods)
      for (const name of names) expect(await statusOf(port, `/${service}/${name}`)).not.toMatch(/^12 Method not found/);
    expect(await statusOf(port, "/casper.v1.Nothing/x")).toBe("12 Method not found: casper.v1.Nothing/x");
  });

  test("has an error for what is not there", async () => {
    await expect(stockClient("external", version).listMethods("casper.v1.ProposeService")).rejects.toThrow();
    await expect(stockClient("external", version).getDescriptorBySymbol("repl.Repl")).rejects.toThrow();
  });
});

function stockClient(port: "external" | "internal", version: "v1" | "v1alpha"): GrpcReflection {
  const ofClient = createRequire(createRequire(import.meta.url).resolve("grpc-js-reflection-client"));
  const { ChannelCredentials } = ofClient("@grpc/grpc-js");
  return new GrpcReflection(`127.0.0.1:${server.ports[port]}`, ChannelCredentials.createInsecure(), {}, version);
}

async function statusOf(port: "external" | "internal", path: string): Promise<string> {
  const session = server.connect(port);
  const stream = beginCall(session, path);
  const answered = answerOf(stream);
  stream.end(framed(new Uint8Array(0)));
  // A watch does not end by itself.
  stream.once("data", () => stream.close());
  const { status, text } = await answered;
  session.destroy();
  return `${status} ${text}`;
}
