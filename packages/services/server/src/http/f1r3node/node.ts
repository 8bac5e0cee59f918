import {
  f1r3nodeApiStatusRoute,
  f1r3nodePrepareDeployRoute,
  f1r3nodeProposeRoute,
  f1r3nodeRootStatusRoute,
  f1r3nodeSequenceNumberRoute,
} from "@vedette/api";
import { fromHexPadded, toHex } from "@vedette/crypto";
import { ApiError, type ApiQueries, type ProposeRequests, type StatusReads } from "@vedette/queries";
import type { FastifyInstance } from "fastify";
import { serve } from "../serve.js";
import { apiStatusAnswer } from "../status.js";

/** `GET /status`, `GET /api/status`: the same. @spec 50 §10.2 */
export function registerF1r3nodeStatus(server: FastifyInstance, reads: StatusReads): void {
  const answer = apiStatusAnswer(reads);
  for (const route of [f1r3nodeRootStatusRoute, f1r3nodeApiStatusRoute]) serve(server, route, () => answer.now());
}

/** `GET` and `POST /api/prepare-deploy`. @spec 50 §10.4 */
export function registerF1r3nodeNode(server: FastifyInstance, { validators }: ApiQueries): void {
  const answer = (names: readonly Uint8Array[]) => ({ names: names.map(toHex), seqNumber: sequenceNumber() });
  const sequenceNumber = () => {
    try {
      return validators.ownSequenceNumber();
    } catch (error) {
      // Before there is a chain it has none.
      if (error instanceof ApiError) return -1;
      throw error;
    }
  };
  serve(server, f1r3nodeSequenceNumberRoute, () => answer([]));
  serve(server, f1r3nodePrepareDeployRoute, ({ body: { deployer, timestamp, nameQty } }) => {
    const publicKey = fromHexPadded(deployer);
    if (publicKey === undefined) throw new ApiError("deployer must be hexadecimal digits.", { reason: "invalidHash" });
    return answer(validators.privateNames(publicKey, timestamp, nameQty));
  });
}

/** `POST /api/propose` of the operator's server. @spec 50 §10.2 */
export function registerF1r3nodePropose(server: FastifyInstance, proposals: ProposeRequests): void {
  serve(server, f1r3nodeProposeRoute, () => proposals.propose(false));
}
