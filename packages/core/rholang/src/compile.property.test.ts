import { toHex } from "@vedette/crypto";
import { decodePar, encodePar, sortPar } from "@vedette/terms";
import { anyCharacter } from "@vedette/terms/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { compile } from "./compile.js";
import { InterpreterError } from "./InterpreterError.js";

/** Closed programs: each variable that they use is one of those in scope. */
function anyProgram(depth: number, names: readonly string[], values: readonly string[]): fc.Arbitrary<string> {
  const ground = fc.oneof(
    fc.nat().map(String),
    fc.constantFrom('"a"', '"b c"', "true", "false", "`rho:x`", "Nil", "{}", "[]", "Set()"),
  );
  const value = values.length === 0 ? ground : fc.oneof(ground, fc.constantFrom(...values));
  const leaf =
    names.length === 0
      ? value
      : fc.oneof(
          value,
          fc.constantFrom(...names).map((name) => `*${name}`),
        );
  if (depth === 0) return leaf;
  const inner = (moreNames: readonly string[] = [], moreValues: readonly string[] = []) =>
    anyProgram(depth - 1, [...names, ...moreNames], [...values, ...moreValues]).map((source) => `{${source}}`);
  const n = `n${depth}`;
  const v = `v${depth}`;
  const name = fc.oneof(
    inner().map((source) => `@${source}`),
    fc.constantFrom("@0", ...names),
  );
  const pattern = fc.constantFrom(`@${v}`, `@[${v} ...${v}r]`, `@{"k" : ${v}}`, `@(${v}, _)`, `@{${v} /\\ Int}`);
  return fc.oneof(
    leaf,
    fc.array(inner(), { minLength: 2, maxLength: 4 }).map((parts) => parts.join(" | ")),
    fc.tuple(name, fc.array(inner(), { maxLength: 3 })).map(([channel, data]) => `${channel}!(${data.join(", ")})`),
    fc
      .tuple(name, name, pattern, inner([n], [v]))
      .map(([a, b, p, body]) => `for (${p}, ${n} <- ${a}; _ <= ${b}) {${body}}`),
    fc.tuple(name, inner([n], [v])).map(([channel, body]) => `contract ${channel}(${n}, @${v}) = {${body}}`),
    inner([n]).map((body) => `new ${n}, x(\`rho:io:stdout\`) in {${body}}`),
    fc.tuple(inner(), inner([], [v]), inner()).map(([t, a, b]) => `match ${t} { [${v}] => ${a} _ => ${b} }`),
    fc.tuple(inner(), inner(), inner()).map(([c, a, b]) => `if (${c}) ${a} else ${b}`),
    fc.tuple(inner(), inner([n])).map(([a, body]) => `let ${n} <- ${a} in {${body}}`),
    fc.tuple(inner(), inner()).map(([a, b]) => `${a} + ${b}.nth(0)`),
    fc.array(inner(), { maxLength: 4 }).map((parts) => `Set(${parts.join(", ")})`),
    fc
      .array(fc.tuple(inner(), inner()), { maxLength: 4 })
      .map((kvs) => `{${kvs.map(([k, w]) => `${k} : ${w}`).join(", ")}}`),
  );
}

const program = anyProgram(3, [], []);

function bytes(source: string): string {
  return toHex(encodePar(compile(source)));
}

test("a compiled program is sorted, and survives its encoding", () => {
  fc.assert(
    fc.property(program, (source) => {
      const par = compile(source);
      const encoded = encodePar(par);
      const decoded = decodePar(encoded);
      expect(toHex(encodePar(decoded))).toBe(toHex(encoded));
      expect(toHex(encodePar(sortPar(decoded)))).toBe(toHex(encoded));
    }),
  );
});

test("blanks, comments, braces and other names of variables change nothing", () => {
  fc.assert(
    fc.property(program, (source) => {
      const expected = bytes(source);
      expect(bytes(`{ ${source} }`)).toBe(expected);
      expect(bytes(source.replaceAll("{", " /* { */ {\t\r\n").replaceAll(",", " // ,\n ,\n "))).toBe(expected);
      expect(bytes(source.replace(/\b([nv])(\d)/g, "$1$2é'_"))).toBe(expected);
    }),
  );
});

test("whatever the text, it compiles or is refused with an interpreter error", () => {
  const cut = fc.tuple(program, fc.nat(), fc.nat(), fc.string({ maxLength: 3 })).map(([source, from, length, text]) => {
    const at = from % (source.length + 1);
    return source.slice(0, at) + text + source.slice(at + (length % 4));
  });
  const fragments = fc.array(
    fc.constantFrom(
      ...'{ } ( ) [ ] | @ * x _ ~ = <- <= <<- !? ?! ! . ... , ; & /\\ \\/ for new in match let => 1 " ` /* //'.split(
        " ",
      ),
    ),
  );
  const text = fc.oneof(
    cut,
    fc.string({ unit: anyCharacter }),
    fragments.map((parts) => parts.join(" ")),
  );
  fc.assert(
    fc.property(text, (source) => {
      try {
        compile(source);
      } catch (error) {
        expect(error).toBeInstanceOf(InterpreterError);
      }
    }),
    { numRuns: 500 },
  );
});
