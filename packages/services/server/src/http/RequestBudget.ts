import { dropOldest } from "@vedette/errors";
import type { HttpLimits } from "./HttpLimits.js";

/** The limits of requests from an address, or key. */
export type RequestRate = Pick<HttpLimits, "burst" | "requestsPerSecond">;

/** Counts requests. */
export interface RequestCounter {
  /** Takes one request. @returns seconds to wait when there is none left, otherwise 0 */
  take(key: string, nowMs: number, rate: RequestRate): number | Promise<number>;
}

/** Addresses that are remembered; the one that has been silent longest is forgotten first. */
const maxAddresses = 20_000;

interface Bucket {
  left: number;
  atMs: number;
}

/** How many requests each address, or key, has left: a bucket that fills steadily. */
export class RequestBudget implements RequestCounter {
  readonly #buckets = new Map<string, Bucket>();

  /** Takes one request. @returns seconds to wait when there is none left, otherwise 0 */
  take(key: string, nowMs: number, { burst, requestsPerSecond }: RequestRate): number {
    const known = this.#buckets.get(key);
    const bucket = known ?? { left: burst, atMs: nowMs };
    bucket.left = Math.min(burst, bucket.left + ((nowMs - bucket.atMs) / 1000) * requestsPerSecond);
    bucket.atMs = nowMs;
    this.#remember(key, bucket, known !== undefined);
    if (bucket.left < 1) return Math.max(1, Math.ceil((1 - bucket.left) / requestsPerSecond));
    bucket.left -= 1;
    return 0;
  }

  #remember(key: string, bucket: Bucket, isKnown: boolean): void {
    if (isKnown) this.#buckets.delete(key);
    this.#buckets.set(key, bucket);
    dropOldest(this.#buckets, maxAddresses);
  }
}
