import {
  newerApiStatusRoute,
  newerPrepareDeployRoute,
  newerProposeRoute,
  newerRootStatusRoute,
  newerSequenceNumberRoute,
} from "@vedette/api";
import { fromHexPadded, toHex } from "@vedette/crypto";
import { ApiError, type ApiQueries, type ProposeRequests, type StatusReads } from "@vedette/queries";
import type { FastifyInstance } from "fastify";
import { serve } from "../serve.js";
import { apiStatusText, keptFor } from "../status.js";

/** `GET /status`, `GET /api/status`: the same. @spec 50 §10.2 */
export function registerNewerStatus(server: FastifyInstance, reads: StatusReads): void {
  const told = keptFor(() => apiStatusText(reads));
  serve(server, newerRootStatusRoute, told);
  serve(server, newerApiStatusRoute, told);
}

/** `GET` and `POST /api/prepare-deploy`. @spec 50 §10.4 */
export function registerNewerNode(server: FastifyInstance, { validators }: ApiQueries): void {
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
  serve(server, newerSequenceNumberRoute, () => answer([]));
  serve(server, newerPrepareDeployRoute, ({ body: { deployer, timestamp, nameQty } }) => {
    const publicKey = fromHexPadded(deployer);
    if (publicKey === undefined) throw new ApiError("deployer must be hexadecimal digits.", { reason: "invalidHash" });
    return answer(validators.privateNames(publicKey, timestamp, nameQty));
  });
}

/** `POST /api/propose` of the operator's server. @spec 50 §10.2 */
export function registerNewerPropose(server: FastifyInstance, proposals: ProposeRequests): void {
  serve(server, newerProposeRoute, () => proposals.propose(false));
}
