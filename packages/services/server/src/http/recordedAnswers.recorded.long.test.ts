// Covers: api, queries, server
import type { AddressInfo } from "node:net";
import { fromHex } from "@vedette/crypto";
import { TestQueries } from "@vedette/queries/testing";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, test } from "vitest";
import { expectRecordedAnswer, isCompared, recordedAnswers, titleOf } from "../testing/recordedHttp.js";
import { createAdminServer } from "./adminServer.js";
import { createHttpServer } from "./server.js";

const validatorKey =
  "0408fa6246eb7211324b6c9da9fb2d05a5a5cc919da3aa6567e87b35d5c9c1a36b0f6f19a462629bb1111b8b6bfdceb7b36340dce31823cb20fedbcb454ccea804";

describe(`recorded HTTP answers`, () => {
  let recorded: TestQueries;
  const servers: FastifyInstance[] = [];
  const ports = { public: 0, admin: 0 };

  beforeAll(async () => {
    recorded = await TestQueries.recorded("solo");
    const queries = recorded.queries({ publicKey: fromHex(validatorKey), isInDevMode: true });
    servers.push(createHttpServer({ queries, metrics: async () => "", isReporting: true }), createAdminServer(queries));
    for (const server of servers) await server.listen({ host: "127.0.0.1", port: 0 });
    [ports.public, ports.admin] = servers.map(({ server }) => (server.address() as AddressInfo).port) as [
      number,
      number,
    ];
  });

  afterAll(async () => {
    for (const server of servers) await server.close();
    await recorded?.[Symbol.asyncDispose]();
  });

  for (const [index, recording] of recordedAnswers().entries()) {
    if (!isCompared(recording)) continue;
    test(`${index + 1}: ${titleOf(recording)}`, async () => {
      await expectRecordedAnswer(recording, { ports, isTheRecorded: true });
    });
  }
});
