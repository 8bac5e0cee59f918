import { create, createFileRegistry, fromBinary } from "@bufbuild/protobuf";
import { type FileDescriptorProto, FileDescriptorProtoSchema, FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { Code, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { ServerReflection } from "@vedette/api/grpc";
import { afterAll, beforeAll, expect, test } from "vitest";
import { GrpcTest } from "../testing/grpcTest.js";
import { TestQueries } from "../testing/TestQueries.js";

type Asked =
  Parameters<ReturnType<typeof reflection>["serverReflectionInfo"]>[0] extends AsyncIterable<infer R> ? R : never;

let server: GrpcTest;
beforeAll(async () => {
  server = await GrpcTest.start(TestQueries.empty().queries());
});
afterAll(() => server[Symbol.asyncDispose]());

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

test("each port lists its services", async () => {
  const external = ["casper.v1.DeployService", "grpc.reflection.v1alpha.ServerReflection"];
  expect(await servicesAt("external")).toEqual(external);
  expect(await servicesAt("internal")).toEqual([external[0], "casper.v1.ProposeService", external[1]]);
});

test("a tool that knows nothing can read a service and every message of it", async () => {
  const files = await filesOf("casper.v1.DeployService");
  const registry = createFileRegistry(create(FileDescriptorSetSchema, { file: sorted(files) }));
  expect(registry.getService("casper.v1.DeployService")?.methods.length).toBe(18);
  expect(registry.getMessage("rhoapi.Par")?.fields.length).toBe(10);
  for (const symbol of ["casper.LightBlockInfo", "casper.v1.DeployService.doDeploy", "rhoapi.Var.WildcardMsg"])
    expect((await filesOf(symbol)).length).toBeGreaterThan(0);
});

test("what nobody knows is not found", async () => {
  for (const asked of [
    { case: "fileContainingSymbol", value: "casper.v1.ProposeService" },
    { case: "fileByFilename", value: "../secret" },
    { case: "allExtensionNumbersOfType", value: "x" },
  ] as const) {
    const answer = await ask("external", asked);
    expect(answer.case === "errorResponse" && answer.value.errorCode).toBe(Code.NotFound);
  }
});
