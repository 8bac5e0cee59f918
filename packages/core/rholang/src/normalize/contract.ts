import { type ParBuilder, Receive, ReceiveBind, shiftBitsDown, unionBits, unionOfLocallyFree } from "@vedette/terms";
import type { ContractProcess } from "../syntax/ast.js";
import type { FreeMap } from "./FreeMap.js";
import { normalizeUnder } from "./match.js";
import type { Normalizer } from "./Normalizer.js";
import { normalizeNamePatterns } from "./namePatterns.js";

/** `contract name(formals) = { body }`: a persistent receive. @spec 20 §7.11 */
export function normalizeContract(
  process: ContractProcess,
  into: ParBuilder,
  free: FreeMap,
  normalizer: Normalizer,
): void {
  const source = normalizer.name(process.name, free);
  const formals = normalizeNamePatterns(process.formals, normalizer);
  const body = normalizeUnder(formals.free, process.body, free, normalizer);
  const bindCount = formals.free.nextLevel;
  const bind = new ReceiveBind(formals.patterns, source, formals.remainder, bindCount);
  const locallyFree = unionBits(
    unionBits(source.locallyFree, unionOfLocallyFree(formals.patterns)),
    shiftBitsDown(body.locallyFree, bindCount),
  );
  const connectiveUsed = source.connectiveUsed || body.connectiveUsed;
  into.addReceive(new Receive([bind], body, true, false, bindCount, locallyFree, connectiveUsed));
}
