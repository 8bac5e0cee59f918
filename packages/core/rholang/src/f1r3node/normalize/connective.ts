import {
  ConnectiveAnd,
  ConnectiveNot,
  ConnectiveOr,
  ConnectiveType,
  type ConnectiveTypeName,
  emptyBitSet,
  type F1r3nodeParBuilder,
  type Par,
} from "@vedette/terms";
import { flattenLeft } from "../../normalize/connective.js";
import { FreeMap } from "../../normalize/FreeMap.js";
import type { F1r3nodeConnectiveProcess, F1r3nodeProcess } from "../syntax/ast.js";
import { endOf, packSpan, startOf } from "../syntax/PackedSpan.js";
import type { F1r3nodeNormalizer } from "./F1r3nodeNormalizer.js";

/** `~P`: what P leaves free stays inside. @spec 20 §7.17 */
export function normalizeNegation(
  { operand }: Extract<F1r3nodeProcess, { kind: "Negation" }>,
  into: F1r3nodeParBuilder,
  free: FreeMap,
  normalizer: F1r3nodeNormalizer,
): void {
  const body = normalizer.alone(operand, new FreeMap());
  into.addConnective(new ConnectiveNot(body), emptyBitSet, true);
  free.connectives.push({ text: "~ (negation)", position: operand.span });
}

/**
 * `P /\ Q`: the variables of both sides are visible outside. `P \/ Q`: each side has its own, which bind nothing.
 * A chain of them is walked, not recursed into.
 *
 * @spec 20 §7.17
 */
export function normalizeConnective(
  process: F1r3nodeConnectiveProcess,
  into: F1r3nodeParBuilder,
  free: FreeMap,
  normalizer: F1r3nodeNormalizer,
): void {
  const isAnd = process.kind === "Conjunction";
  const chain = [process];
  for (let { left } = process; left.kind === process.kind; left = left.left)
    chain.push(left as F1r3nodeConnectiveProcess);
  const side = (part: F1r3nodeProcess): Par => normalizer.alone(part, isAnd ? free : new FreeMap());
  const ps = flattenLeft(side(chain[chain.length - 1]!.left), isAnd ? "ConnectiveAnd" : "ConnectiveOr");
  for (let i = chain.length - 1; i >= 0; i -= 1) {
    const { left, right } = chain[i]!;
    ps.push(side(right));
    const position = packSpan(startOf(left.span), endOf(right.span));
    if (isAnd) free.connectives.push({ text: "/\\ (conjunction)", position });
    else if (i === 0) free.connectives.push({ text: "\\/ (disjunction)", position });
  }
  into.addConnective(isAnd ? new ConnectiveAnd(ps) : new ConnectiveOr(ps), emptyBitSet, true);
}

/** `Int`, `String` …: they are not recorded, so that they are allowed anywhere. @spec 20 §7.17 */
export function normalizeSimpleType(
  { typeName }: { readonly typeName: ConnectiveTypeName },
  into: F1r3nodeParBuilder,
): void {
  into.addConnective(new ConnectiveType(typeName, true), emptyBitSet, true);
}
