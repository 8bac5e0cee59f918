import { printJson } from "@vedette/api";
import { fromHexLenient, toHex } from "@vedette/crypto";
import type { FastifyInstance } from "fastify";
import type { ValidatorQueries } from "../query/ValidatorQueries.js";
import { readBody } from "./requestBody.js";
import { sendJson } from "./server.js";

/** `GET` and `POST /api/prepare-deploy`. @spec 50 §1.9 */
export function registerPrepareDeploy(server: FastifyInstance, validators: ValidatorQueries): void {
  const answer = (names: readonly Uint8Array[]) =>
    printJson({ names: names.map(toHex), seqNumber: validators.ownSequenceNumber() });
  server.get("/api/prepare-deploy", (_request, reply) => sendJson(reply, answer([])));
  server.post<{ Body: string | undefined }>("/api/prepare-deploy", (request, reply) => {
    const { deployer, timestamp, nameQty } = readBody(request.body, (body) => ({
      deployer: fromHexLenient(body.member("deployer").text()),
      timestamp: body.member("timestamp").long(),
      nameQty: body.member("nameQty").int(),
    }));
    return sendJson(reply, answer(validators.privateNames(deployer, timestamp, nameQty)));
  });
}
