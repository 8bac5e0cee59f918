import fc from "fast-check";
import { type BitSet, bitSetOf } from "../model/BitSet.js";
import {
  type BinaryOperator,
  Bundle,
  type Connective,
  ConnectiveAnd,
  ConnectiveNot,
  ConnectiveOr,
  ConnectiveType,
  type ConnectiveTypeName,
  EBinary,
  EList,
  EMatches,
  EMethod,
  ETuple,
  EUnary,
  EVar,
  type Expr,
  GBool,
  GByteArray,
  GInt,
  GString,
  GUri,
  Match,
  MatchCase,
  New,
  noInjections,
  Par,
  type ParFields,
  Receive,
  ReceiveBind,
  Send,
  type UnaryOperator,
  VarRef,
} from "../model/Par.js";
import { GDeployerId, GDeployId, GPrivate, sysAuthToken, type Unforgeable } from "../model/Unforgeable.js";
import { boundVar, freeVar, type Var, wildcard } from "../model/Var.js";
import { rnodeAtoms } from "../order/compareAtoms.js";
import { makeMap } from "../order/makeMap.js";
import { makeSet } from "../order/makeSet.js";
import { binaryField } from "../wire/fields.js";

/**
 * Generators of terms for property tests. {@link anyTerm} gives terms of every shape the model can hold, whether
 * or not a program could compile to them; {@link anyData} gives closed data without patterns or variables.
 * Both favour small values that repeat, so that equal parts and ties are common.
 */
export function anyTerm(depth = 3): fc.Arbitrary<Par> {
  return parAt(depth);
}

/** Grounds, names and collections of such, as a program would send them. */
export function anyData(depth = 3): fc.Arbitrary<Par> {
  return dataAt(depth);
}

const bits: fc.Arbitrary<BitSet> = fc.oneof(
  { weight: 3, arbitrary: fc.constant(bitSetOf([])) },
  { weight: 1, arbitrary: fc.array(fc.nat(20), { maxLength: 3 }).map(bitSetOf) },
);

const flag = fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) });
const count = fc.oneof(fc.nat(3), fc.nat(300));
/** Any character of Unicode. What fast-check calls `binary` makes a table of all of them first, which takes seconds. */
export const anyCharacter: fc.Arbitrary<string> = fc
  .nat(0x10_ffff - 0x800)
  .map((number) => String.fromCodePoint(number < 0xd800 ? number : number + 0x800));
const text = fc.oneof(fc.constantFrom("", "a", "b", "ab"), fc.string({ unit: anyCharacter, maxLength: 5 }));
const content = fc.uint8Array({ maxLength: 3 });

const anyVar: fc.Arbitrary<Var> = fc.oneof(
  fc.nat(70).map(boundVar),
  fc.nat(70).map(freeVar),
  fc.constant<Var>(wildcard),
);

const remainder = fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: anyVar });

const ground: fc.Arbitrary<Expr> = fc.oneof(
  fc.boolean().map((value) => new GBool(value)),
  fc.oneof(fc.bigInt(-3n, 3n), fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n)).map((value) => new GInt(value)),
  text.map((value) => new GString(value)),
  text.map((value) => new GUri(value)),
  content.map((value) => new GByteArray(value)),
);

const unforgeable: fc.Arbitrary<Unforgeable> = fc.oneof(
  content.map((id) => new GPrivate(id)),
  content.map((signature) => new GDeployId(signature)),
  content.map((publicKey) => new GDeployerId(publicKey)),
  fc.constant<Unforgeable>(sysAuthToken),
);

/** One component of a Par. */
type Piece = ParFields;

const pars = new Map<number, fc.Arbitrary<Par>>();

/** Terms nested at most `depth` deep. */
function parAt(depth: number): fc.Arbitrary<Par> {
  const known = pars.get(depth);
  if (known !== undefined) return known;
  const pieces = fc.array(pieceAt(depth), { maxLength: depth === 0 ? 1 : 3 });
  const par = fc
    .tuple(pieces, bits, flag)
    .map(([list, locallyFree, connectiveUsed]) => ofPieces(list, locallyFree, connectiveUsed));
  pars.set(depth, par);
  return par;
}

function ofPieces(pieces: readonly Piece[], locallyFree: BitSet, connectiveUsed: boolean): Par {
  return Par.of({
    sends: pieces.flatMap((piece) => piece.sends ?? []),
    receives: pieces.flatMap((piece) => piece.receives ?? []),
    news: pieces.flatMap((piece) => piece.news ?? []),
    exprs: pieces.flatMap((piece) => piece.exprs ?? []),
    matches: pieces.flatMap((piece) => piece.matches ?? []),
    unforgeables: pieces.flatMap((piece) => piece.unforgeables ?? []),
    bundles: pieces.flatMap((piece) => piece.bundles ?? []),
    connectives: pieces.flatMap((piece) => piece.connectives ?? []),
    locallyFree,
    connectiveUsed,
  });
}

function pieceAt(depth: number): fc.Arbitrary<Piece> {
  const leaf: fc.Arbitrary<Piece> = fc.oneof(
    { weight: 4, arbitrary: exprAt(depth - 1).map((expr) => ({ exprs: [expr] })) },
    { weight: 1, arbitrary: unforgeable.map((name) => ({ unforgeables: [name] })) },
  );
  if (depth <= 0) return leaf;
  const process: fc.Arbitrary<Piece> = fc.oneof(
    sendAt(depth - 1).map((send) => ({ sends: [send] })),
    receiveAt(depth - 1).map((receive) => ({ receives: [receive] })),
    newAt(depth - 1).map((fresh) => ({ news: [fresh] })),
    matchAt(depth - 1).map((match) => ({ matches: [match] })),
    bundleAt(depth - 1).map((bundle) => ({ bundles: [bundle] })),
    connectiveAt(depth - 1).map((connective) => ({ connectives: [connective] })),
  );
  return fc.oneof({ weight: 2, arbitrary: leaf }, { weight: 3, arbitrary: process });
}

function listAt(depth: number): fc.Arbitrary<readonly Par[]> {
  return fc.array(parAt(depth), { maxLength: 3 });
}

function exprAt(depth: number): fc.Arbitrary<Expr> {
  const simple = fc.oneof(
    { weight: 4, arbitrary: ground },
    { weight: 1, arbitrary: anyVar.map((v): Expr => new EVar(v)) },
  );
  if (depth < 0) return simple;
  return fc.oneof(
    { weight: 2, arbitrary: simple },
    { weight: 2, arbitrary: collectionAt(depth) },
    { weight: 1, arbitrary: operatorAt(depth) },
  );
}

function collectionAt(depth: number): fc.Arbitrary<Expr> {
  const list = listAt(depth);
  const par = parAt(depth);
  const pairs = fc.array(fc.record({ key: par, value: par }), { maxLength: 6 });
  return fc.oneof(
    fc.tuple(list, bits, flag, remainder).map((parts): Expr => new EList(...parts)),
    fc.tuple(list, bits, flag).map((parts): Expr => new ETuple(...parts)),
    fc.tuple(list, bits, flag, remainder).map((parts): Expr => makeSet(...parts, rnodeAtoms)),
    fc.tuple(pairs, bits, flag, remainder).map((parts): Expr => makeMap(...parts, rnodeAtoms)),
    fc.tuple(text, par, list, bits, flag).map((parts): Expr => new EMethod(...parts)),
  );
}

function operatorAt(depth: number): fc.Arbitrary<Expr> {
  const par = parAt(depth);
  return fc.oneof(
    fc.tuple(fc.constantFrom<UnaryOperator>("ENot", "ENeg"), par).map((parts): Expr => new EUnary(...parts)),
    fc.tuple(fc.constantFrom(...binaryOperators), par, par).map((parts): Expr => new EBinary(...parts)),
    fc.tuple(par, par).map((parts): Expr => new EMatches(...parts)),
  );
}

const binaryOperators = Object.keys(binaryField) as BinaryOperator[];

function sendAt(depth: number): fc.Arbitrary<Send> {
  return fc.tuple(parAt(depth), listAt(depth), flag, bits, flag).map((parts) => new Send(...parts));
}

function receiveAt(depth: number): fc.Arbitrary<Receive> {
  const bind = fc.tuple(listAt(depth), parAt(depth), remainder, count).map((parts) => new ReceiveBind(...parts));
  const binds = fc.array(bind, { maxLength: 2 });
  return fc.tuple(binds, parAt(depth), flag, flag, count, bits, flag).map((parts) => new Receive(...parts));
}

function newAt(depth: number): fc.Arbitrary<New> {
  const injections = fc
    .array(fc.tuple(text, parAt(depth)), { maxLength: 2 })
    .map((entries) => (entries.length === 0 ? noInjections : new Map(entries)));
  const uri = fc.array(text, { maxLength: 3 });
  return fc.tuple(count, parAt(depth), uri, injections, bits).map((parts) => new New(...parts));
}

function matchAt(depth: number): fc.Arbitrary<Match> {
  const one = fc.tuple(parAt(depth), parAt(depth), count).map((parts) => new MatchCase(...parts));
  return fc.tuple(parAt(depth), fc.array(one, { maxLength: 2 }), bits, flag).map((parts) => new Match(...parts));
}

function bundleAt(depth: number): fc.Arbitrary<Bundle> {
  return fc.tuple(parAt(depth), flag, flag).map((parts) => new Bundle(...parts));
}

function connectiveAt(depth: number): fc.Arbitrary<Connective> {
  const typeName = fc.constantFrom<ConnectiveTypeName>("Bool", "Int", "String", "Uri", "ByteArray");
  return fc.oneof(
    listAt(depth).map((ps): Connective => new ConnectiveAnd(ps)),
    listAt(depth).map((ps): Connective => new ConnectiveOr(ps)),
    parAt(depth).map((body): Connective => new ConnectiveNot(body)),
    fc.tuple(fc.nat(70), fc.nat(3)).map((parts): Connective => new VarRef(...parts)),
    fc.tuple(typeName, fc.boolean()).map((parts): Connective => new ConnectiveType(...parts)),
  );
}

const closed = bitSetOf([]);

/** Closed data nested at most `depth` deep. */
function dataAt(depth: number): fc.Arbitrary<Par> {
  const expr = dataExprAt(depth);
  return fc.oneof(
    { weight: 6, arbitrary: expr.map((one) => Par.of({ exprs: [one] })) },
    { weight: 1, arbitrary: fc.array(expr, { maxLength: 3 }).map((exprs) => Par.of({ exprs })) },
    { weight: 1, arbitrary: unforgeable.map((name) => Par.of({ unforgeables: [name] })) },
  );
}

function dataExprAt(depth: number): fc.Arbitrary<Expr> {
  if (depth <= 0) return ground;
  const par = dataAt(depth - 1);
  const list = fc.array(par, { maxLength: 4 });
  const pairs = fc.array(fc.record({ key: par, value: par }), { maxLength: 6 });
  return fc.oneof(
    { weight: 4, arbitrary: ground },
    { weight: 1, arbitrary: list.map((ps): Expr => new EList(ps, closed, false, undefined)) },
    { weight: 1, arbitrary: list.map((ps): Expr => new ETuple(ps, closed, false)) },
    { weight: 1, arbitrary: list.map((ps): Expr => makeSet(ps, closed, false, undefined, rnodeAtoms)) },
    { weight: 1, arbitrary: pairs.map((entries): Expr => makeMap(entries, closed, false, undefined, rnodeAtoms)) },
  );
}
