import { useQuery } from "@tanstack/react-query";
import { explorerSettings } from "./settings.js";

/** What only the node knows of itself; `undefined` until it has told. */
export function useSettings() {
  const { data } = useQuery({
    queryKey: ["settings"],
    queryFn: explorerSettings,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data;
}
