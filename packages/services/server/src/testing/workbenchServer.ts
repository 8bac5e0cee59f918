import { TestQueries } from "@vedette/queries/testing";
import { Workbench } from "../grpc/workbench/Workbench.js";
import { GrpcTest } from "./grpcTest.js";

// A node's gRPC servers with a workbench of little memory, and the argument's milliseconds for a program; prints its
// ports, and ends with its input.
const workbench = new Workbench({ timeoutMs: Number(process.argv[2]), heapSizeMb: 128 });
const server = await GrpcTest.start(TestQueries.empty().queries(), {}, { workbench });
process.stdout.write(`${JSON.stringify(server.ports)}\n`);
process.stdin.resume();
process.stdin.once("end", async () => {
  await server[Symbol.asyncDispose]();
  await workbench[Symbol.asyncDispose]();
});
