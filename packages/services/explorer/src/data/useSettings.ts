import { useQuery } from "@tanstack/react-query";
import { explorerSettings } from "./settings.js";

/** The settings that the node supplies; `undefined` until they are loaded. */
export function useSettings() {
  const { data } = useQuery({
    queryKey: ["settings"],
    queryFn: explorerSettings,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data;
}
