import {
  doubleOf,
  EList,
  type EMap,
  ETuple,
  type Expr,
  emptyBitSet,
  GBool,
  GByteArray,
  GDeployerId,
  GDeployId,
  GInt,
  GPrivate,
  GString,
  GUri,
  integerOf,
  isNil,
  makeMap,
  makeSet,
  nil,
  type Par,
  ParBuilder,
  parOfExpr,
  parOfUnforgeable,
  rnodeAtoms,
  sortPar,
  type Unforgeable,
} from "@vedette/terms";
import { RhoBigInt, RhoDouble, RhoFixedPoint, RhoRational } from "./RhoNumber.js";
import { checkDepth, type RhoInput, RhoPar, RhoTuple, RhoUnforgeable, RhoUri, type RhoValue } from "./RhoValue.js";
import { ValueError } from "./ValueError.js";
import { type ValueVisitor, visitValue } from "./visitValue.js";

/** The term of a value, in its canonical form. @spec 20 §5, §9 @throws {ValueError} for what is no value */
export function parOfRhoValue(value: RhoInput): Par {
  return sortPar(visitValue(value, asPar));
}

/**
 * The value of a term; like the node's JSON it holds ground values, names and bodies of bundles, and leaves out the
 * rest. Keys of maps stay what they are.
 *
 * @spec 50 §1.8
 * @returns `undefined` where nothing of the term is a value
 */
export function rhoValueOfPar(par: Par): RhoValue | undefined {
  return ofPar(par, 0);
}

const asPar: ValueVisitor<Par> = {
  nil: () => nil,
  bool: (value) => parOfExpr(new GBool(value)),
  int: (value) => parOfExpr(new GInt(value)),
  number: ({ kind }) => {
    throw new ValueError({ code: "notWritten", what: `A value of kind ${kind}` });
  },
  text: (value) => parOfExpr(new GString(value)),
  bytes: (value) => parOfExpr(new GByteArray(value)),
  uri: (value) => parOfExpr(new GUri(value)),
  unforgeable: (name) => parOfUnforgeable(asUnforgeable(name)),
  tuple: (items) => parOfExpr(new ETuple(items, emptyBitSet, false)),
  list: (items) => parOfExpr(new EList(items, emptyBitSet, false, undefined)),
  set: (items) => parOfExpr(makeSet(items, emptyBitSet, false, undefined, rnodeAtoms)),
  map: (entries) =>
    parOfExpr(
      makeMap(
        entries.map(([key, value]) => ({ key, value })),
        emptyBitSet,
        false,
        undefined,
        rnodeAtoms,
      ),
    ),
  par: (items) => {
    const builder = new ParBuilder();
    // Appended items go to the front.
    for (const item of items.toReversed()) builder.append(item);
    return builder.build();
  },
};

function asUnforgeable({ of, bytes }: RhoUnforgeable): Unforgeable {
  if (of === "private") return new GPrivate(bytes);
  return of === "deploy" ? new GDeployId(bytes) : new GDeployerId(bytes);
}

function ofPar(par: Par, depth: number): RhoValue | undefined {
  checkDepth(depth);
  const values: RhoValue[] = [];
  const add = (value: RhoValue | undefined) => {
    if (value !== undefined) values.push(value);
  };
  for (const expr of par.exprs) add(ofExpr(expr, depth));
  for (const name of par.unforgeables) add(ofUnforgeable(name));
  for (const bundle of par.bundles) add(ofPar(bundle.body, depth + 1));
  if (values.length > 1) return RhoPar.of(values);
  return values.length === 1 ? values[0] : isNil(par) ? null : undefined;
}

function ofExpr(expr: Expr, depth: number): RhoValue | undefined {
  switch (expr.kind) {
    case "GBool":
    case "GInt":
    case "GString":
    case "GByteArray":
      return expr.value;
    case "GUri":
      return new RhoUri(expr.value);
    case "ETuple":
      return RhoTuple.of(ofPars(expr.ps, depth));
    case "EList":
      return ofPars(expr.ps, depth);
    case "ESet":
      return new Set(ofPars(expr.ps, depth));
    case "EMap":
      return ofMap(expr, depth);
    default:
      return ofF1r3nodeExpr(expr, depth);
  }
}

/** For kinds that only f1r3node has. @spec 50 §10.1 */
function ofF1r3nodeExpr(expr: Expr, depth: number): RhoValue | undefined {
  switch (expr.kind) {
    case "GDouble":
      return new RhoDouble(doubleOf(expr.bits));
    case "GBigInt":
      return new RhoBigInt(integerOf(expr.value));
    case "GBigRational":
      return new RhoRational(integerOf(expr.numerator), integerOf(expr.denominator));
    case "GFixedPoint":
      return new RhoFixedPoint(integerOf(expr.unscaled), expr.scale);
    case "EPathMap":
      return ofPars(expr.ps, depth);
    case "EZipper":
      return RhoTuple.of([expr.pathMap === undefined ? [] : ofPars(expr.pathMap.ps, depth), [...expr.currentPath]]);
    default:
      return undefined;
  }
}

function ofPars(pars: readonly Par[], depth: number): RhoValue[] {
  return pars.map((par) => ofPar(par, depth + 1)).filter((value) => value !== undefined);
}

function ofMap(map: EMap, depth: number): RhoValue {
  const entries = new Map<RhoValue, RhoValue>();
  for (const pair of map.kvs) {
    const key = ofPar(pair.key, depth + 1);
    const value = ofPar(pair.value, depth + 1);
    if (key !== undefined && value !== undefined) entries.set(key, value);
  }
  return entries;
}

function ofUnforgeable(name: Unforgeable): RhoValue | undefined {
  switch (name.kind) {
    case "GPrivate":
      return new RhoUnforgeable("private", name.id);
    case "GDeployId":
      return new RhoUnforgeable("deploy", name.signature);
    case "GDeployerId":
      return new RhoUnforgeable("deployer", name.publicKey);
    default:
      return undefined;
  }
}
