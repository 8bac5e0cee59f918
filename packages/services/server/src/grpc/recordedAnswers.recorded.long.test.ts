// Covers: api, queries, server
import { fromHex } from "@vedette/crypto";
import { TestQueries } from "@vedette/queries/testing";
import { afterAll, beforeAll, describe, test } from "vitest";
import { GrpcTest } from "../testing/grpcTest.js";
import { expectRecordedCall, recordedCalls, titleOfCall } from "../testing/recordedGrpc.js";

const validatorKey =
  "0408fa6246eb7211324b6c9da9fb2d05a5a5cc919da3aa6567e87b35d5c9c1a36b0f6f19a462629bb1111b8b6bfdceb7b36340dce31823cb20fedbcb454ccea804";
describe(`recorded gRPC answers`, () => {
  let recorded: TestQueries;
  let server: GrpcTest;

  beforeAll(async () => {
    recorded = await TestQueries.recorded("solo");
    server = await GrpcTest.start(recorded.queries({ publicKey: fromHex(validatorKey), isInDevMode: true }));
  });

  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
    await recorded?.[Symbol.asyncDispose]();
  });

  for (const call of recordedCalls()) {
    test(titleOfCall(call), async () => {
      const session = server.connect(call.port);
      try {
        await expectRecordedCall(call, session);
      } finally {
        session.close();
      }
    });
  }
});
