import { useQuery } from "@tanstack/react-query";
import type { DeployBrief } from "@vedette/client";
import { node } from "./node.js";
import { useChain } from "./useChain.js";

/** Most deploys of one request. */
const atOnce = 50;
/** The pause after which a node can look into the remaining ones. */
const pauseMs = 3_000;

/** Returns the status and the effects of some deploys; undefined if unknown, or not yet known. */
export function useDeployBriefs(ids: readonly string[]): (id: string) => DeployBrief | undefined {
  const { lastFinalized } = useChain();
  const { data } = useQuery({
    queryKey: ["deployBriefs", ids.join(), lastFinalized?.number ?? -1],
    queryFn: ({ signal }) => readBriefs(ids, signal),
    enabled: ids.length > 0,
    placeholderData: (before) => before,
    refetchInterval: ({ state }) => (isMoreToCome(state.data) ? pauseMs : false),
  });
  return (id) => data?.get(id);
}

function isMoreToCome(briefs: ReadonlyMap<string, DeployBrief> | undefined): boolean {
  return briefs !== undefined && [...briefs.values()].some(({ summary }) => summary === null);
}

async function readBriefs(ids: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, DeployBrief>> {
  const found = new Map<string, DeployBrief>();
  for (let start = 0; start < ids.length; start += atOnce) {
    const some = ids.slice(start, start + atOnce);
    for (const [at, brief] of (await node.deployBriefs(some, { signal })).entries())
      if (brief !== null) found.set(some[at]!, brief);
  }
  return found;
}
