import {
  Bundle,
  ConnectiveAnd,
  ConnectiveNot,
  ConnectiveType,
  EBinary,
  EList,
  EMatches,
  EMethod,
  ETuple,
  EUnary,
  EVar,
  emptyBitSet,
  emptyConnective,
  emptyExpr,
  emptyUnforgeable,
  emptyVar,
  FreeVar,
  freeVar,
  GBool,
  GByteArray,
  GDeployerId,
  GDeployId,
  GInt,
  GPrivate,
  GString,
  GUri,
  Match,
  MatchCase,
  makeMap,
  makeSet,
  New,
  nil,
  Par,
  Receive,
  ReceiveBind,
  rnodeAtoms,
  Send,
  sysAuthToken,
  VarRef,
  wildcard,
} from "@vedette/terms";
import { anyTerm } from "@vedette/terms/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { printPar } from "./printPar.js";
import { ReportTooLargeError, TextWriter } from "./TextWriter.js";

function textOf(par: Par): string {
  const out = new TextWriter(1 << 24);
  printPar(out, par);
  return out.text;
}

const lists = ["sends", "receives", "news", "exprs", "matches", "unforgeables", "bundles", "connectives"] as const;

/** Makes a term with one non-empty list. */
function parWith(list: (typeof lists)[number], items: string): string {
  const members = lists.map((name) => `"${name}":[${name === list ? items : ""}]`);
  return `{${members.join(",")},"locallyFree":{},"connectiveUsed":false}`;
}
const nilText = parWith("sends", "");
const int = (value: bigint) => Par.of({ exprs: [new GInt(value)] });
const intText = (value: bigint) => parWith("exprs", `{"exprInstance":{"GInt":{"value":${value}}}}`);
const flags = '"locallyFree":{},"connectiveUsed":false';
const [one, two] = [int(1n), int(2n)];

test.each([
  [new GBool(true), '{"GBool":{"value":true}}'],
  [new GInt(-9223372036854775808n), '{"GInt":{"value":-9223372036854775808}}'],
  [new GString('a"\n'), '{"GString":{"value":"a\\"\\n"}}'],
  [new GUri("rho:x"), '{"GUri":{"value":"rho:x"}}'],
  [new GByteArray(Uint8Array.of(0, 255)), '{"GByteArray":{"value":"00ff"}}'],
  [new EVar(freeVar(3)), '{"EVarBody":{"value":{"v":{"varInstance":{"FreeVar":{"value":3}}}}}}'],
  [new EVar(wildcard), '{"EVarBody":{"value":{"v":{"varInstance":{"Wildcard":{"value":{}}}}}}}'],
  [new EVar(emptyVar), '{"EVarBody":{"value":{"v":{"varInstance":{"Empty":{}}}}}}'],
  [new EUnary("ENot", one), `{"ENotBody":{"value":{"p":${intText(1n)}}}}`],
  [new EBinary("EPlusPlus", one, two), `{"EPlusPlusBody":{"value":{"p1":${intText(1n)},"p2":${intText(2n)}}}}`],
  [new EMatches(one, two), `{"EMatchesBody":{"value":{"target":${intText(1n)},"pattern":${intText(2n)}}}}`],
  [
    new EList([one, two], emptyBitSet, false, new FreeVar(0)),
    `{"EListBody":{"value":{"ps":[${intText(1n)},${intText(2n)}],${flags},"remainder":{"varInstance":{"FreeVar":{"value":0}}}}}}`,
  ],
  [new ETuple([one], emptyBitSet, false), `{"ETupleBody":{"value":{"ps":[${intText(1n)}],${flags}}}}`],
  [
    makeSet([two, one], emptyBitSet, false, undefined, rnodeAtoms),
    `{"ESetBody":{"value":[${intText(1n)},${intText(2n)}]}}`,
  ],
  [
    makeMap([{ key: one, value: two }], emptyBitSet, false, undefined, rnodeAtoms),
    `{"EMapBody":{"value":[[${intText(1n)},${intText(2n)}]]}}`,
  ],
  [
    new EMethod("nth", one, [two], emptyBitSet, false),
    `{"EMethodBody":{"value":{"methodName":"nth","target":${intText(1n)},"arguments":[${intText(2n)}],${flags}}}}`,
  ],
  [emptyExpr, '{"Empty":{}}'],
])("an expression is printed under its message's name: %#", (expr, text) => {
  expect(textOf(Par.of({ exprs: [expr] }))).toBe(parWith("exprs", `{"exprInstance":${text}}`));
});

test.each([
  [new GPrivate(Uint8Array.of(1, 2)), '{"GPrivateBody":{"value":{"id":"0102"}}}'],
  [new GDeployId(Uint8Array.of(3)), '{"GDeployIdBody":{"value":{"sig":"03"}}}'],
  [new GDeployerId(Uint8Array.of(4)), '{"GDeployerIdBody":{"value":{"publicKey":"04"}}}'],
  [sysAuthToken, '{"GSysAuthTokenBody":{"value":{}}}'],
  [emptyUnforgeable, '{"Empty":{}}'],
])("a name is printed under its message's name: %#", (name, text) => {
  expect(textOf(Par.of({ unforgeables: [name] }))).toBe(parWith("unforgeables", `{"unfInstance":${text}}`));
});

test.each([
  [new ConnectiveAnd([one]), `{"ConnAndBody":{"value":{"ps":[${intText(1n)}]}}}`],
  [new ConnectiveNot(one), `{"ConnNotBody":{"value":${intText(1n)}}}`],
  [new VarRef(1, 2), '{"VarRefBody":{"value":{"index":1,"depth":2}}}'],
  [new ConnectiveType("ByteArray", true), '{"ConnByteArray":{"value":true}}'],
  [emptyConnective, '{"Empty":{}}'],
])("a connective is printed under its message's name: %#", (connective, text) => {
  expect(textOf(Par.of({ connectives: [connective] }))).toBe(parWith("connectives", `{"connectiveInstance":${text}}`));
});

test("processes are printed with every field", () => {
  const send = new Send(one, [two], true, emptyBitSet, false);
  expect(textOf(Par.of({ sends: [send] }))).toBe(
    parWith("sends", `{"chan":${intText(1n)},"data":[${intText(2n)}],"persistent":true,${flags}}`),
  );
  const bind = new ReceiveBind([one], two, undefined, 0);
  const receive = new Receive([bind], nil, false, true, 1, emptyBitSet, false);
  expect(textOf(Par.of({ receives: [receive] }))).toBe(
    parWith(
      "receives",
      `{"binds":[{"patterns":[${intText(1n)}],"source":${intText(2n)},"remainder":null,"freeCount":0}],"body":${nilText},"persistent":false,"peek":true,"bindCount":1,${flags}}`,
    ),
  );
  const fresh = new New(1, nil, ["rho:x"], new Map([["rho:y", one]]), emptyBitSet);
  expect(textOf(Par.of({ news: [fresh] }))).toBe(
    parWith(
      "news",
      `{"bindCount":1,"p":${nilText},"uri":["rho:x"],"injections":{"rho:y":${intText(1n)}},"locallyFree":{}}`,
    ),
  );
  const match = new Match(one, [new MatchCase(two, nil, 0)], emptyBitSet, false);
  expect(textOf(Par.of({ matches: [match] }))).toBe(
    parWith(
      "matches",
      `{"target":${intText(1n)},"cases":[{"pattern":${intText(2n)},"source":${nilText},"freeCount":0}],${flags}}`,
    ),
  );
  expect(textOf(Par.of({ bundles: [new Bundle(one, true, false)] }))).toBe(
    parWith("bundles", `{"body":${intText(1n)},"writeFlag":true,"readFlag":false}`),
  );
});

test("every term is printed as JSON", () => {
  fc.assert(fc.property(anyTerm(), (par) => void JSON.parse(textOf(par))));
});

test("a text that grows too long is given up", () => {
  const out = new TextWriter(100);
  expect(() => printPar(out, one)).toThrow(ReportTooLargeError);
});
