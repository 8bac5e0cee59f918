import { hostileTerms } from "@vedette/executor/testing";
import type { Flood } from "./Flood.js";

const answerMs = 600_000;
const terms = Object.values(hostileTerms());

/** Requests runs of hostile programs, `atOnce` at a time. @returns the number of answers of each status */
export async function exploreHostileTerms(
  port: number,
  { count, atOnce }: Flood,
): Promise<ReadonlyMap<number, number>> {
  const statuses = new Map<number, number>();
  let begun = 0;
  const client = async () => {
    while (begun < count) {
      const body = terms[begun % terms.length]!;
      begun += 1;
      const status = await explore(port, body);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, client));
  return statuses;
}

/** @returns the status; 0 when the connection was ended */
async function explore(port: number, body: string): Promise<number> {
  try {
    const url = `http://127.0.0.1:${port}/api/explore-deploy`;
    const answer = await fetch(url, { method: "POST", body, signal: AbortSignal.timeout(answerMs) });
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    return 0;
  }
}
