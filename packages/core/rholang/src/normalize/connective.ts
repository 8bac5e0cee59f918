import {
  ConnectiveAnd,
  ConnectiveNot,
  ConnectiveOr,
  ConnectiveType,
  emptyBitSet,
  type Par,
  type ParBuilder,
} from "@vedette/terms";
import type { ConnectiveProcess, Process } from "../syntax/ast.js";
import { FreeMap } from "./FreeMap.js";
import type { Normalizer } from "./Normalizer.js";

/** `~P`: what P leaves free stays inside. @spec 20 §7.17 */
export function normalizeNegation(
  { operand, position }: Extract<Process, { kind: "Negation" }>,
  into: ParBuilder,
  free: FreeMap,
  normalizer: Normalizer,
): void {
  const body = normalizer.alone(operand, new FreeMap());
  into.addConnective(new ConnectiveNot(body), emptyBitSet, true);
  free.connectives.push({ text: "~ (negation)", position });
}

/** `P /\ Q`: the variables of both sides are visible outside. @spec 20 §7.17 */
export function normalizeConjunction(
  process: ConnectiveProcess,
  into: ParBuilder,
  free: FreeMap,
  normalizer: Normalizer,
): void {
  const chain = leftChain(process);
  const ps = flattenLeft(normalizer.alone(chain[chain.length - 1]!.left, free), "ConnectiveAnd");
  for (let i = chain.length - 1; i >= 0; i -= 1) {
    const { right, position } = chain[i]!;
    ps.push(normalizer.alone(right, free));
    free.connectives.push({ text: "/\\ (conjunction)", position });
  }
  into.addConnective(new ConnectiveAnd(ps), emptyBitSet, true);
}

/**
 * `P \/ Q`: each side has its own variables, which bind nothing outside; so only the outermost of a chain is noted.
 *
 * @spec 20 §7.17
 */
export function normalizeDisjunction(
  process: ConnectiveProcess,
  into: ParBuilder,
  free: FreeMap,
  normalizer: Normalizer,
): void {
  const chain = leftChain(process);
  const ps = flattenLeft(normalizer.alone(chain[chain.length - 1]!.left, new FreeMap()), "ConnectiveOr");
  for (let i = chain.length - 1; i >= 0; i -= 1) ps.push(normalizer.alone(chain[i]!.right, new FreeMap()));
  into.addConnective(new ConnectiveOr(ps), emptyBitSet, true);
  free.connectives.push({ text: "\\/ (disjunction)", position: process.position });
}

/** The connectives of one kind along the left sides, outermost first. */
function leftChain(process: ConnectiveProcess): ConnectiveProcess[] {
  const chain = [process];
  for (let left = process.left; left.kind === process.kind; left = left.left) chain.push(left as ConnectiveProcess);
  return chain;
}

/** A left side that is exactly one connective of the same kind is opened. */
export function flattenLeft(left: Par, kind: "ConnectiveAnd" | "ConnectiveOr"): Par[] {
  const connective = left.connectives[0];
  const others =
    left.sends.length +
    left.receives.length +
    left.news.length +
    left.exprs.length +
    left.matches.length +
    left.bundles.length;
  const isSingle = others === 0 && left.connectives.length === 1;
  return isSingle && connective?.kind === kind ? [...(connective as ConnectiveAnd | ConnectiveOr).ps] : [left];
}

/** `Int`, `String` … Quirk 20 §7.17: they are not recorded, so that they are allowed anywhere. @spec 20 §7.17 */
export function normalizeSimpleType({ typeName }: Extract<Process, { kind: "SimpleType" }>, into: ParBuilder): void {
  into.addConnective(new ConnectiveType(typeName, true), emptyBitSet, true);
}
