import { fromHexLenient, fromHexPadded } from "@vedette/crypto";
import type { FastifyInstance } from "fastify";
import { ApiError } from "../query/ApiError.js";
import type { BlockQueries } from "../query/BlockQueries.js";
import type { DeployIntake } from "../query/DeployIntake.js";
import { type BodyValue, readBody } from "./requestBody.js";
import { sendJson } from "./server.js";

const signatureTexts = {
  unknownAlgorithm: "Signature algorithm not supported.",
  invalidSignature: "Invalid signature.",
};

/** `POST /api/deploy`, `GET /api/deploy/{id}`. @spec 50 §1.9 */
export function registerDeploy(server: FastifyInstance, deploys: DeployIntake, blocks: BlockQueries): void {
  server.post<{ Body: string | undefined }>("/api/deploy", async (request, reply) =>
    sendJson(reply, await submitDeploy(deploys, request.body)),
  );
  server.get<{ Params: { id: string } }>("/api/deploy/:id", (request, reply) =>
    sendJson(reply, blocks.blockOfDeploy(fromHexLenient(request.params.id))),
  );
}

/** Submits the deploy of a body. @returns the answer as JSON @throws {ApiError} @spec 50 §1.7, §1.9 */
export async function submitDeploy(deploys: DeployIntake, body: string | undefined): Promise<string> {
  const request = readBody(body, deployRequest);
  const deployer = fromHexPadded(request.deployer);
  if (deployer === undefined) throw new ApiError("Public key is not valid base16 format.");
  const signature = fromHexPadded(request.signature);
  if (signature === undefined) throw new ApiError("Signature is not valid base16 format.");
  const { data, sigAlgorithm: algorithm } = request;
  return JSON.stringify(await deploys.submit({ ...data, deployer, signature, algorithm }, signatureTexts));
}

function deployRequest(body: BodyValue) {
  const data = body.member("data");
  return {
    data: {
      term: data.member("term").text(),
      timestamp: data.member("timestamp").long(),
      phloPrice: data.member("phloPrice").long(),
      phloLimit: data.member("phloLimit").long(),
      validAfterBlockNumber: data.member("validAfterBlockNumber").long(),
      shardId: data.member("shardId").text(),
    },
    deployer: body.member("deployer").text(),
    signature: body.member("signature").text(),
    sigAlgorithm: body.member("sigAlgorithm").text(),
  };
}
