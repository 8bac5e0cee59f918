import { useQuery } from "@tanstack/react-query";
import { type DeployStatus, isUnknownDeploy } from "@vedette/client";
import { node } from "../../data/node.js";

/** Nothing more becomes of a deploy that has come so far. */
const ends: ReadonlySet<DeployStatus["status"]> = new Set(["finalized", "failed", "expired"]);
const pauseMs = 1_500;

/** A deploy and what has become of it, asked for again until that is certain. */
export function useDeploy(id: string) {
  return useQuery({
    queryKey: ["deploy", id],
    queryFn: ({ signal }) => node.deployStatus(id, { signal }),
    // Another node may hear of it later than the one that took it.
    retry: (count, error) => count < 3 && isUnknownDeploy(error),
    retryDelay: pauseMs,
    refetchInterval: ({ state }) => (state.data !== undefined && ends.has(state.data.status) ? false : pauseMs),
  });
}
