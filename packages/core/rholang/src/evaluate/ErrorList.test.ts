import fc from "fast-check";
import { expect, test } from "vitest";
import { InterpreterError, outOfPhlogistons, reduceError, userAbort } from "../InterpreterError.js";
import { ErrorList } from "./ErrorList.js";
import { FatalError } from "./FatalError.js";

type Tree = Error | readonly Tree[];

/** The rule of 21 §1.6 as it is stated: for each Par on its own, from the leaves up. */
function nested(tree: Tree): Error | undefined {
  if (tree instanceof Error) return tree;
  const errors = tree.map(nested).filter((error) => error !== undefined);
  const isOf = (name: string) => (error: Error) => error instanceof InterpreterError && error.failure.class === name;
  const winner = errors.find(isOf("UserAbortError")) ?? errors.find(isOf("OutOfPhlogistonsError"));
  if (winner !== undefined) return winner;
  if (errors.length < 2) return errors[0];
  const interpreter: InterpreterError[] = [];
  const fatal: Error[] = [];
  for (const error of errors) {
    if (!(error instanceof InterpreterError)) fatal.push(error);
    else if (error.failure.class === "AggregateError") {
      interpreter.push(...error.failure.errors);
      fatal.push(...error.failure.fatal);
    } else interpreter.push(error);
  }
  return new InterpreterError({ class: "AggregateError", errors: interpreter, fatal });
}

function addLeaves(tree: Tree, list: ErrorList): void {
  if (tree instanceof Error) list.add(tree);
  else for (const each of tree) addLeaves(each, list);
}

/** Returns the parts that decide the result of a deploy: the class, and for an aggregate the texts of both lists. */
function outcome(error: Error | undefined): string {
  if (!(error instanceof InterpreterError)) return error === undefined ? "none" : `fatal ${error.message}`;
  if (error.failure.class !== "AggregateError") return `${error.failure.class} ${error.message}`;
  const { errors, fatal } = error.failure;
  return [errors, fatal].map((list) => list.map(({ message }) => message).join()).join(" | ");
}

test("one flat list of errors amounts to what the rule gives for each Par on its own", () => {
  let number = 0;
  const ordinary = fc.constantFrom("reduce", "fatal").map((kind) => {
    number += 1;
    return kind === "reduce"
      ? reduceError(String(number))
      : new FatalError({ code: "illegalArgument", message: String(number) });
  });
  const outranking = fc.constantFrom(outOfPhlogistons(), userAbort());
  const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      { weight: 6, arbitrary: ordinary },
      { weight: 1, arbitrary: outranking },
      { weight: 5, arbitrary: fc.array(tie("tree"), { maxLength: 4 }) },
    ),
  }));
  fc.assert(
    fc.property(tree, (errors) => {
      const list = new ErrorList();
      addLeaves(errors, list);
      expect(outcome(list.combined())).toBe(outcome(nested(errors)));
    }),
    { numRuns: 500 },
  );
});

test("however many branches fail, only a thousand errors are kept, and what decides the result is not lost", () => {
  const list = new ErrorList();
  for (let i = 0; i < 5000; i += 1) list.add(reduceError(String(i)));
  const many = list.combined();
  expect(
    many instanceof InterpreterError && many.failure.class === "AggregateError" && many.failure.errors.length,
  ).toBe(1000);
  list.add(new FatalError({ code: "divisionByZero" }));
  const withFatal = list.combined();
  expect(
    withFatal instanceof InterpreterError && withFatal.failure.class === "AggregateError" && withFatal.failure.fatal,
  ).toHaveLength(1);
  list.add(outOfPhlogistons());
  expect(outcome(list.combined())).toMatch(/^OutOfPhlogistonsError/);
  list.add(userAbort());
  expect(outcome(list.combined())).toMatch(/^UserAbortError/);
});
