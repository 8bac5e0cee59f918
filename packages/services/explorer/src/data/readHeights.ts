import type { HttpClient, LightBlock } from "@vedette/client";

/** Most heights in one response of a node, unless it is configured to less. */
const atOnce = 50;

/** The blocks of many heights, the oldest first; requested in pieces. @param from to both included */
export async function readHeights(
  node: HttpClient,
  { from, to }: { readonly from: number; readonly to: number },
  signal?: AbortSignal,
): Promise<LightBlock[]> {
  const starts: number[] = [];
  for (let start = Math.max(0, from); start <= to; start += atOnce) starts.push(start);
  const pieces = await Promise.all(
    starts.map((start) => node.blockSpan(start, Math.min(to, start + atOnce - 1), { signal })),
  );
  return pieces.flat();
}
