import { useQuery } from "@tanstack/react-query";
import { type BlockSummary, briefOfBlock, newestFirst } from "./BlockSummary.js";
import { node } from "./node.js";
import { readHeights } from "./readHeights.js";
import { useChain } from "./useChain.js";

/**
 * The blocks of the newest heights, or of those up to one, the newest first; new ones are among them as they come.
 *
 * @param to greatest height; undefined for the head, which moves
 */
export function useHeights(count: number, to?: number) {
  const { blocks: live } = useChain();
  // Heights that the page knows are followed; only lower ones are requested, once.
  const lowest = live.at(-1)?.number;
  const head = live[0]?.number;
  const end = to ?? (lowest === undefined ? undefined : lowest);
  const start = Math.max(0, (to ?? head ?? 0) - count + 1);
  const query = useQuery({
    queryKey: ["heights", count, to ?? "head", end],
    queryFn: async ({ signal }) => (await readHeights(node, { from: start, to: end! }, signal)).map(briefOfBlock),
    enabled: end !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: (before) => before,
  });
  const known = [...(query.data ?? []), ...(to === undefined ? live : [])].filter(({ number }) => number >= start);
  const blocks: BlockSummary[] = [...new Map(known.map((block) => [block.hash, block])).values()].sort(newestFirst);
  return { blocks, isReady: query.data !== undefined, error: query.error, refetch: query.refetch };
}
