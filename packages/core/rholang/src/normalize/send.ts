import { anyConnectiveUsed, type ParBuilder, Send, unionBits, unionOfLocallyFree } from "@vedette/terms";
import type { SendProcess, SyncSendProcess } from "../syntax/ast.js";
import { desugarSyncSend } from "./desugar.js";
import type { FreeMap } from "./FreeMap.js";
import type { Normalizer } from "./Normalizer.js";

/** `channel!(data)`, `channel!!(data)`. @spec 20 §7.9 */
export function normalizeSend(process: SendProcess, into: ParBuilder, free: FreeMap, normalizer: Normalizer): void {
  const channel = normalizer.name(process.channel, free);
  const data = normalizer.eachFromLast(process.data, free);
  const locallyFree = unionBits(channel.locallyFree, unionOfLocallyFree(data));
  const connectiveUsed = channel.connectiveUsed || anyConnectiveUsed(data);
  into.addSend(new Send(channel, data, process.persistent, locallyFree, connectiveUsed));
}

/** `channel!?(data); continuation`. @spec 20 §4 (1) */
export function normalizeSyncSend(
  process: SyncSendProcess,
  into: ParBuilder,
  free: FreeMap,
  normalizer: Normalizer,
): void {
  normalizer.process(desugarSyncSend(process, normalizer.freshName()), into, free);
}
