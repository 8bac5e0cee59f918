import { anyConnectiveUsed, type F1r3nodeParBuilder, Send, uniteIndices, uniteIndicesOf } from "@vedette/terms";
import type { FreeMap } from "../../normalize/FreeMap.js";
import type { F1r3nodeSendProcess, F1r3nodeSyncSendProcess } from "../syntax/ast.js";
import { desugarSyncSend } from "./desugar.js";
import type { F1r3nodeNormalizer } from "./F1r3nodeNormalizer.js";

/** `channel!(data)`, `channel!!(data)`: data from first to last. @spec 20 §14.3 */
export function normalizeSend(
  { channel, data, persistent }: F1r3nodeSendProcess,
  into: F1r3nodeParBuilder,
  free: FreeMap,
  normalizer: F1r3nodeNormalizer,
): void {
  const chan = normalizer.name(channel, free);
  const pars = normalizer.each(data, free);
  const locallyFree = uniteIndices(chan.locallyFree, uniteIndicesOf(pars));
  into.addSend(new Send(chan, pars, persistent, locallyFree, chan.connectiveUsed || anyConnectiveUsed(pars)));
}

/** `channel!?(data); continuation`. @spec 20 §4 (1) */
export function normalizeSyncSend(
  process: F1r3nodeSyncSendProcess & { readonly span: number },
  into: F1r3nodeParBuilder,
  free: FreeMap,
  normalizer: F1r3nodeNormalizer,
): void {
  normalizer.process(desugarSyncSend(process, process.span, normalizer.freshName()), into, free);
}
