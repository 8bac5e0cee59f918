import { useQuery } from "@tanstack/react-query";
import { type BlockSummary, type Finality, finalizedAmong } from "./BlockSummary.js";
import { node } from "./node.js";
import { useChain } from "./useChain.js";

/** Most heights in one response of a node. */
const atOnce = 200;
/** The page knows the changes that it has seen; the rest is requested again when this many heights became final. */
const finalHeights = 10;

/** Returns the status of some blocks, as the node reports it; live ones change as they become final or are lost. */
export function useFinality(blocks: readonly BlockSummary[]): (block: Pick<BlockSummary, "hash">) => Finality {
  const { blocks: live, lastFinalized, forkedAway } = useChain();
  const numbers = blocks.map(({ number }) => number);
  const [from, to] = [Math.min(...numbers), Math.max(...numbers)];
  const { data } = useQuery({
    queryKey: ["finality", from, to, Math.floor((lastFinalized?.number ?? -1) / finalHeights)],
    queryFn: ({ signal }) => readFinality(from, to, signal),
    enabled: blocks.length > 0,
    placeholderData: (before) => before,
  });
  const finalized = finalizedAmong([...live, ...blocks], lastFinalized?.hash);
  return ({ hash }) => {
    if (forkedAway.has(hash)) return "forkedAway";
    return finalized.has(hash) ? "finalized" : (data?.get(hash) ?? "pending");
  };
}

async function readFinality(from: number, to: number, signal: AbortSignal): Promise<ReadonlyMap<string, Finality>> {
  const starts: number[] = [];
  for (let start = from; start <= to; start += atOnce) starts.push(start);
  const pieces = await Promise.all(
    starts.map((start) => node.blockStatuses(BigInt(start), BigInt(Math.min(to, start + atOnce - 1)), { signal })),
  );
  return new Map(pieces.flat().map(({ blockHash, status }) => [blockHash, status]));
}
