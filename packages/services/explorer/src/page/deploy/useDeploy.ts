import { useQuery } from "@tanstack/react-query";
import { type DeployStatus, isUnknownDeploy } from "@vedette/client";
import { node } from "../../data/node.js";

/** Statuses that do not change. */
const ends: ReadonlySet<DeployStatus["status"]> = new Set(["finalized", "failed", "expired"]);
const pauseMs = 1_500;

/** Reads a deploy's status again and again until it is final. */
export function useDeploy(id: string) {
  return useQuery({
    queryKey: ["deploy", id],
    queryFn: ({ signal }) => node.deployStatus(id, { signal }),
    // Other nodes may receive the deploy later than the one that took it.
    retry: (count, error) => count < 3 && isUnknownDeploy(error),
    retryDelay: pauseMs,
    refetchInterval: ({ state }) => (state.data !== undefined && ends.has(state.data.status) ? false : pauseMs),
  });
}
