import fc from "fast-check";
import { expect, test } from "vitest";
import { bitSetOf } from "../model/BitSet.js";
import { EBinary, EList, EUnary, GByteArray, GInt, GString, Par } from "../model/Par.js";
import { anyTerm } from "../testing/anyTerm.js";
import { printPar } from "./printTerm.js";

const noBits = bitSetOf([]);

/** The rule as 20 §12.2 has it: by the text. */
function wrapped(text: string): string {
  if (/^[+-]?\d+$/.test(text) && Number(text) >= -(2 ** 31) && Number(text) < 2 ** 31) return text;
  return text.startsWith("(") && text.endsWith(")") ? text : `(${text})`;
}

const int = (value: bigint) => Par.of({ exprs: [new GInt(value)] });
const bytes = (...values: number[]) => Par.of({ exprs: [new GByteArray(Uint8Array.from(values))] });
const negated = (p: Par) => Par.of({ exprs: [new EUnary("ENeg", p)] });
const literals = [
  ...[0n, -5n, 2147483647n, 2147483648n, -2147483648n, -2147483649n, 2n ** 63n - 1n].map(int),
  ...[bytes(), bytes(0x12), bytes(0x01, 0xe5), bytes(0, 0, 0, 0, 0, 0, 0, 7), bytes(0xab)],
];
const anyOperand = fc.oneof(
  anyTerm(),
  fc.constantFrom(...literals, ...literals.map(negated), ...literals.map(negated).map(negated)),
);

test("parentheses are where the texts of the operands require them", () => {
  fc.assert(
    fc.property(anyOperand, anyOperand, (first, last) => {
      const [firstText, lastText] = [printPar(first), printPar(last)];
      expect(printPar(Par.of({ exprs: [new EUnary("ENot", first)] }))).toBe(`~${wrapped(firstText)}`);
      const sum = Par.of({ exprs: [new EBinary("EPlus", first, last)] });
      expect(printPar(sum)).toBe(wrapped(`${firstText} + ${lastText}`));
      const both = Par.of({
        exprs: [...first.exprs, ...last.exprs],
        connectives: last.connectives,
        sends: first.sends,
      });
      expect(printPar(negated(both))).toBe(`-${wrapped(printPar(both))}`);
    }),
    { numRuns: 500 },
  );
});

test("a text beyond the limit is refused, not made", () => {
  const long = Par.of({ exprs: [new GString("x".repeat(1 << 24))] });
  const list = Par.of({ exprs: [new EList([long, long, long, long], noBits, false, undefined)] });
  expect(() => printPar(list)).toThrow("Term is too large to be printed: its text has more than 67108864 characters");
});
