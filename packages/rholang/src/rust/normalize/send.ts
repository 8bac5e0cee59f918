import { anyConnectiveUsed, type RustParBuilder, Send, uniteIndices, uniteIndicesOf } from "@vedette/terms";
import type { FreeMap } from "../../normalize/FreeMap.js";
import type { SendProcess, SyncSendProcess } from "../syntax/ast.js";
import { desugarSyncSend } from "./desugar.js";
import type { RustNormalizer } from "./RustNormalizer.js";

/** `channel!(data)`, `channel!!(data)`: data from first to last. @spec 20 §14.3 */
export function normalizeSend(
  { channel, data, persistent }: SendProcess,
  into: RustParBuilder,
  free: FreeMap,
  normalizer: RustNormalizer,
): void {
  const chan = normalizer.name(channel, free);
  const pars = normalizer.each(data, free);
  const locallyFree = uniteIndices(chan.locallyFree, uniteIndicesOf(pars));
  into.addSend(new Send(chan, pars, persistent, locallyFree, chan.connectiveUsed || anyConnectiveUsed(pars)));
}

/** `channel!?(data); continuation`. @spec 20 §4 (1) */
export function normalizeSyncSend(
  process: SyncSendProcess & { readonly span: number },
  into: RustParBuilder,
  free: FreeMap,
  normalizer: RustNormalizer,
): void {
  normalizer.process(desugarSyncSend(process, process.span, normalizer.freshName()), into, free);
}
