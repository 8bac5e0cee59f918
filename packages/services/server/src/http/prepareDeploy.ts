import { prepareDeployRoute, sequenceNumberRoute } from "@vedette/api";
import { fromHexLenient, toHex } from "@vedette/crypto";
import type { ValidatorQueries } from "@vedette/queries";
import type { FastifyInstance } from "fastify";
import { serve } from "./serve.js";

/** `GET` and `POST /prepare-deploy`. @spec 50 §1.9 */
export function registerPrepareDeploy(server: FastifyInstance, validators: ValidatorQueries): void {
  const answer = (names: readonly Uint8Array[]) => ({
    names: names.map(toHex),
    seqNumber: validators.ownSequenceNumber(),
  });
  serve(server, sequenceNumberRoute, () => answer([]));
  serve(server, prepareDeployRoute, ({ body: { deployer, timestamp, nameQty } }) =>
    answer(validators.privateNames(fromHexLenient(deployer), timestamp, nameQty)),
  );
}
