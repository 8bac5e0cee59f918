import { errorText } from "@vedette/errors";
import { TransferStalledError } from "./ThroughputWatchdog.js";

interface ServiceFacts {
  readonly name?: string;
  readonly code?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

/** Whether a request failed because the object does not exist. A missing bucket is a fault. */
export function isAbsent(error: unknown): boolean {
  const { name } = factsOf(error);
  return statusOf(error) === 404 && name !== "NoSuchBucket";
}

/** Whether the same request may succeed a moment later: too many, the server's own trouble, the line. */
export function isPassing(error: unknown): boolean {
  if (error instanceof TransferStalledError) return true;
  const status = statusOf(error);
  if (status !== undefined && status >= 300) return status >= 500 || status === 429 || status === 408;
  // Without an answer it was the line, or what came over it, unless nothing was sent at all.
  return (
    !["AbortError", "CredentialsProviderError", "TypeError"].includes(factsOf(error).name ?? "") &&
    !isRegionMissing(error)
  );
}

/** Returns what went wrong, and what to do. */
export function reasonOf(error: unknown): string {
  const { name, code } = factsOf(error);
  const status = statusOf(error);
  if (name === "CredentialsProviderError")
    return `there are no credentials (${errorText(error)}); set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE`;
  if (isRegionMissing(error)) return "no region is known; set AWS_REGION, or give --region";
  if (name === "NoSuchBucket") return "there is no such bucket";
  if (status === 301 || status === 307) return "the bucket is in another region; give --region";
  if (status === 401 || status === 403)
    return `access is refused (${name ?? status}); check the credentials, and what they may do with this bucket`;
  const text = errorText(error);
  const known = text === "" || text === "UnknownError" ? (code ?? name ?? "no reason given") : text;
  return status === undefined || status < 400 ? known : `the server answers ${status} (${known})`;
}

function isRegionMissing(error: unknown): boolean {
  return errorText(error).includes("Region is missing");
}

function statusOf(error: unknown): number | undefined {
  return factsOf(error).$metadata?.httpStatusCode;
}

function factsOf(error: unknown): ServiceFacts {
  return typeof error === "object" && error !== null ? (error as ServiceFacts) : {};
}
