import type { TProperties, TSchema } from "typebox";
import * as Type from "typebox";
import { hexBytes, int32, int64, named, orNull } from "./scalars.js";

const data = (schema: TSchema) => Type.Object({ data: schema });
const one = (kind: string, content: TSchema) => Type.Object({ [kind]: content });
const hexText = Type.String({
  description: "Hex digits; other characters are ignored and an odd number of digits is padded.",
});
// Not Type.Record: it takes a parser of TypeScript with it into every page.
const mapOf = (schema: TSchema) =>
  Type.Unsafe<{ readonly [key: string]: unknown }>({ type: "object", patternProperties: { "^.*$": schema } });
const nothing = () => Type.Object({}, { additionalProperties: false });

/** An unforgeable name in a request. @spec 50 §1.8 */
export const unforgeableInput = named(
  "RhoUnforgInput",
  Type.Union([
    Type.Object({ UnforgPrivate: Type.Object({ data: hexText }) }),
    Type.Object({ UnforgDeploy: Type.Object({ data: hexText }) }),
    Type.Object({ UnforgDeployer: Type.Object({ data: hexText }) }),
  ]),
);

/** `RhoUnforg`. @spec 50 §1.8 */
const rhoUnforg = named(
  "RhoUnforg",
  Type.Union([
    ...["UnforgPrivate", "UnforgDeploy", "UnforgDeployer"].map((kind) => one(kind, data(hexBytes()))),
    // Only on f1r3node networks.
    Type.Literal("UnforgSysAuthToken"),
  ]),
);

/** `RhoExpr`: a Rholang value, an object with its kind as its one key. @spec 50 §1.8 */
export const rhoExpr = named(
  "RhoExpr",
  Type.Union([
    one("ExprNil", nothing()),
    one("ExprBool", data(Type.Boolean())),
    one("ExprInt", data(int64())),
    one("ExprString", data(Type.String())),
    one("ExprUri", data(Type.String())),
    one("ExprBytes", data(hexBytes())),
    ...["ExprTuple", "ExprList", "ExprSet", "ExprPar"].map((kind) => one(kind, data(Type.Array(Type.Ref("RhoExpr"))))),
    one("ExprMap", data(mapOf(Type.Ref("RhoExpr")))),
    one("ExprUnforg", data(rhoUnforg)),
    ...f1r3nodeKinds(Type.Ref("RhoExpr")).map(([kind, members]) => one(kind, Type.Object(members))),
  ]),
);

/** Kinds that only f1r3node has, with their members. @spec 50 §10.1 */
function f1r3nodeKinds(value: TSchema): readonly (readonly [string, TProperties])[] {
  const operators = "Plus Minus Mult Div Mod Lt Lte Gt Gte Eq Neq And Or Concat Interpolate Diff".split(" ");
  return [
    ["ExprFloat", { data: orNull(Type.Number()) }],
    ["ExprBigInt", { data: Type.String() }],
    ["ExprBigRat", { numerator: Type.String(), denominator: Type.String() }],
    ["ExprFixedPoint", { value: Type.String(), scale: int32() }],
    ["ExprBundle", { data: value, read: Type.Boolean(), write: Type.Boolean() }],
    ["ExprNot", { data: value }],
    ["ExprNeg", { data: value }],
    ...operators.map((name): [string, TProperties] => [`Expr${name}`, { left: value, right: value }]),
    ["ExprMatches", { target: value, pattern: value }],
    ["ExprMethod", { target: value, name: Type.String(), args: Type.Array(value) }],
    ["ExprVar", { index: int32() }],
    ["ExprUnknown", { type_name: Type.String() }],
  ];
}

const tagged = (name: string, data?: TSchema) => {
  const type = Type.Literal(name);
  return Type.Object(data === undefined ? { type } : { type, data });
};

const taggedUnforg = named(
  "RhoUnforgTagged",
  Type.Union([
    ...["UnforgPrivate", "UnforgDeploy", "UnforgDeployer"].map((type) => tagged(type, hexBytes())),
    tagged("UnforgSysAuthToken"),
  ]),
);

/** A Rholang value in the form of the versioned API. @spec 50 §1.10 */
export const taggedRhoExpr = named(
  "RhoExprTagged",
  Type.Union([
    tagged("ExprNil"),
    tagged("ExprBool", Type.Boolean()),
    tagged("ExprInt", int64()),
    tagged("ExprString", Type.String()),
    tagged("ExprUri", Type.String()),
    tagged("ExprBytes", hexBytes()),
    ...["ExprTuple", "ExprList", "ExprSet", "ExprPar"].map((type) =>
      tagged(type, Type.Array(Type.Ref("RhoExprTagged"))),
    ),
    tagged("ExprMap", mapOf(Type.Ref("RhoExprTagged"))),
    tagged("ExprUnforg", taggedUnforg),
    ...f1r3nodeKinds(Type.Ref("RhoExprTagged")).map(([type, members]) =>
      Type.Object({ type: Type.Literal(type), ...members }),
    ),
  ]),
);
