import type { NetworkDialect } from "@vedette/client";
import { useStatus } from "./useStatus.js";

/** Whose rules the network has, as far as its node has told; rnode's until then. */
export function useDialect(): NetworkDialect {
  return dialectOfStatus(useStatus().data);
}

/** Nodes of newer networks alone tell how long an epoch is. @spec 50 §10 */
export function dialectOfStatus(status: { readonly epochLength?: number | undefined } | undefined): NetworkDialect {
  return status?.epochLength === undefined ? "rnode" : "f1r3node";
}
