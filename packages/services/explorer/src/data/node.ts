import { QueryClient } from "@tanstack/react-query";
import { ClientError, HttpClient } from "@vedette/client";

/** The node that serves this page. */
export const node = new HttpClient({ url: globalThis.location?.origin ?? "http://localhost", retries: 1 });

/** The cache of the pages' requests, kept while it may still be right. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      gcTime: 300_000,
      // A refusal is an answer; the client has already repeated the request if that helps.
      retry: false,
      refetchOnWindowFocus: false,
    },
  },
});

/** Returns the failure in words for people. */
export function reasonOf(error: unknown): string {
  if (error instanceof ClientError) {
    const { failure } = error;
    if (failure.code === "refused") return failure.problem?.detail ?? (failure.messages.join("\n") || error.message);
    if (failure.code === "unreachable") return "The node does not answer. It may be starting, or have stopped.";
  }
  return error instanceof Error ? error.message : String(error);
}
