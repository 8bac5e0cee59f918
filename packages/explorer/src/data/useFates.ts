import { useQuery } from "@tanstack/react-query";
import type { DeployStatus } from "@vedette/client";
import { node } from "./node.js";
import { useChain } from "./useChain.js";

/** Deploys that a node tells of at once. */
const atOnce = 50;

/** What has become of each of some deploys, as the node says; undefined where that is not known, or not yet. */
export function useFates(ids: readonly string[]): (id: string) => DeployStatus["status"] | undefined {
  const { lastFinalized } = useChain();
  const { data } = useQuery({
    queryKey: ["fates", ids.join(), lastFinalized?.number ?? -1],
    queryFn: ({ signal }) => readFates(ids, signal),
    enabled: ids.length > 0,
    placeholderData: (before) => before,
  });
  return (id) => data?.get(id);
}

async function readFates(
  ids: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, DeployStatus["status"]>> {
  const found = new Map<string, DeployStatus["status"]>();
  for (let start = 0; start < ids.length; start += atOnce) {
    const some = ids.slice(start, start + atOnce);
    for (const [at, status] of (await node.deployFates(some, { signal })).entries())
      if (status !== null) found.set(some[at]!, status);
  }
  return found;
}
