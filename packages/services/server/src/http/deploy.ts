import { deployBlockRoute, type deployRequest, deployRoute, type Static } from "@vedette/api";
import { fromHexLenient, fromHexPadded } from "@vedette/crypto";
import { ApiError, type BlockQueries, type DeployIntake } from "@vedette/queries";
import type { FastifyInstance } from "fastify";
import { JsonText } from "./JsonText.js";
import { serve } from "./serve.js";

const signatureTexts = {
  unknownAlgorithm: "Signature algorithm not supported.",
  invalidSignature: "Invalid signature.",
};

/** `POST /deploy`, `GET /deploy/{id}`. @spec 50 §1.9 */
export function registerDeploy(server: FastifyInstance, deploys: DeployIntake, blocks: BlockQueries): void {
  serve(server, deployRoute, ({ body }, { request }) => submitDeploy(deploys, body, request.ip));
  serve(server, deployBlockRoute, ({ params }) => new JsonText(blocks.blockOfDeploy(fromHexLenient(params.deployId))));
}

/** Submits the deploy of a body. @returns the answer for the client @throws {ApiError} @spec 50 §1.7, §1.9 */
export function submitDeploy(
  deploys: DeployIntake,
  request: Static<typeof deployRequest>,
  client: string | undefined,
): Promise<string> {
  const deployer = fromHexPadded(request.deployer);
  if (deployer === undefined) throw new ApiError("Public key is not valid base16 format.");
  const signature = fromHexPadded(request.signature);
  if (signature === undefined) throw new ApiError("Signature is not valid base16 format.");
  const { sigAlgorithm: algorithm } = request;
  const { expirationTimestamp, ...data } = request.data;
  // One of 0 is none, and the signature does not cover it.
  const expiring = expirationTimestamp === undefined || expirationTimestamp === 0n ? {} : { expirationTimestamp };
  return deploys.submit({ ...data, ...expiring, deployer, signature, algorithm }, { texts: signatureTexts, client });
}
