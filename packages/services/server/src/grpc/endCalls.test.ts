import { TestQueries } from "@vedette/queries/testing";
import { until } from "@vedette/testing";
import { expect, test } from "vitest";
import { beginCall, framed, GrpcTest } from "../testing/grpcTest.js";

test("what a call does for a client that has gone is waited for when the server is closed", async () => {
  let [isRequested, isOpen] = [false, true];
  let answer!: () => void;
  const asked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const queries = TestQueries.empty().queries();
  const submit = async () => {
    isRequested = true;
    await asked;
    throw new Error(isOpen ? "it is open" : "it is closed already");
  };
  const server = await GrpcTest.start({
    ...queries,
    deploys: Object.assign(Object.create(queries.deploys), { submit }),
  });
  const stream = beginCall(server.connect(), "/casper.v1.DeployService/doDeploy");
  stream.end(framed(new Uint8Array(0)));
  await until("the call to be worked on", () => isRequested);
  stream.session!.destroy();
  const closed = server[Symbol.asyncDispose]().then(() => {
    isOpen = false;
  });
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
  expect(isOpen).toBe(true);
  answer();
  await closed;
  expect(server.failures).toEqual([new Error("it is open")]);
});
