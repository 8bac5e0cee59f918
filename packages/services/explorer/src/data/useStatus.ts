import { useQuery } from "@tanstack/react-query";
import { node } from "./node.js";

/** Requests the node's status every few seconds. */
export function useStatus() {
  return useQuery({
    queryKey: ["status"],
    queryFn: ({ signal }) => node.apiStatus({ signal }),
    refetchInterval: 4_000,
  });
}
