import { equalBytes } from "@vedette/crypto";
import { compile } from "@vedette/rholang";
import { encodePar, printPar } from "@vedette/terms";
import fc from "fast-check";
import { propertyTarget } from "../driver/propertyTarget.js";
import { must } from "../driver/Target.js";

const ground = fc.oneof(
  fc.nat({ max: 5 }).map(String),
  fc.constantFrom("true", '"a b"', "`rho:x`", "Nil", "[]", "Set()"),
);

/**
 * Programs of what the printer writes so that it can be read again (20 §12): no negative numbers, byte arrays,
 * unforgeable names or bundles, no `and`, `or`, `not`, no one-tuples, no URIs beside new names, no remainders in binds,
 * no processes as operands or quoted (within a channel `*` is not written); and no maps, since two of them that differ in values alone keep the order of the text (20
 * §9.6).
 */
function anyProgram(depth: number, names: readonly string[], values: readonly string[]): fc.Arbitrary<string> {
  const leaves = [ground];
  if (values.length > 0) leaves.push(fc.constantFrom(...values));
  if (names.length > 0) leaves.push(fc.constantFrom(...names).map((name) => `*${name}`));
  const leaf = fc.oneof(...leaves);
  if (depth === 0) return leaf;
  const inner = (moreNames: readonly string[] = [], moreValues: readonly string[] = []) =>
    anyProgram(depth - 1, [...names, ...moreNames], [...values, ...moreValues]).map((source) => `{${source}}`);
  const [n, v] = [`n${depth}`, `v${depth}`];
  const channel = names.length === 0 ? ground.map((text) => `@{${text}}`) : fc.constantFrom(...names);
  const several = fc.array(inner(), { minLength: 2, maxLength: 3 });
  return fc.oneof(
    leaf,
    several.map((parts) => parts.join(" | ")),
    fc.tuple(channel, several).map(([name, data]) => `${name}!(${data.join(", ")})`),
    fc.tuple(channel, inner()).map(([name, data]) => `${name}!!(${data})`),
    inner([n]).map((body) => `new ${n} in {${body}}`),
    fc.tuple(channel, inner([n], [v])).map(([name, body]) => `for (@${v}, ${n} <- ${name}) {${body}}`),
    fc.tuple(channel, channel, inner([n], [v])).map(([a, b, body]) => `for (@${v} <- ${a} & ${n} <- ${b}) {${body}}`),
    fc.tuple(channel, inner([n])).map(([name, body]) => `for (${n} <<- ${name}) {${body}}`),
    fc.tuple(channel, inner([n])).map(([name, body]) => `contract ${name}(${n}) = {${body}}`),
    fc.tuple(leaf, inner([], [v]), inner()).map(([a, b, c]) => `match ${a} { [${v}, 1] => ${b} _ => ${c} }`),
    several.map((parts) => `[${parts.join(", ")}]`),
    several.map((parts) => `Set(${parts.join(", ")})`),
    fc.tuple(leaf, fc.constantFrom("+", "==", "++", "<="), leaf).map(([a, sign, b]) => `${a} ${sign} ${b}`),
    fc.tuple(leaf, ground).map(([a, b]) => `${a}.nth(${b})`),
  );
}

export const rholangPrint = propertyTarget({
  name: "rholang-print",
  about: "a printed program compiles to the term that was printed",
  cost: "expensive",
  files: ["terms/print/", "rholang/normalize/", "rholang/syntax/"],
  values: anyProgram(3, [], []),
  check: (source) => {
    let par: ReturnType<typeof compile>;
    try {
      par = compile(source);
    } catch {
      // Two binds may come out as one channel.
      return;
    }
    const printed = printPar(par);
    const again = compile(printed);
    must(equalBytes(encodePar(again), encodePar(par)), () => `printed as ${printed}`);
  },
});
