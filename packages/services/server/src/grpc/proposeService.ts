import type { ConnectRouter } from "@connectrpc/connect";
import { ProposeService } from "@vedette/api/grpc";
import type { ProposeRequests } from "@vedette/queries";
import { answering, type OnFailure } from "./answer.js";

/** `casper.v1.ProposeService`. @spec 50 §3.4 */
export function registerProposeService(router: ConnectRouter, requests: ProposeRequests, onFailure: OnFailure): void {
  router.service(ProposeService, {
    propose: ({ isAsync }) =>
      answering(onFailure, async () => ({ case: "result" as const, value: await requests.propose(isAsync) })),
    proposeResult: () =>
      answering(onFailure, async () => ({ case: "result" as const, value: await requests.latestResult() })),
  });
}
