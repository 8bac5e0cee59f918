import { expect, test } from "vitest";
import { outOfPhlogistons, userAbort } from "../../InterpreterError.js";
import { f1r3nodeReduceError } from "../f1r3nodeError.js";
import { type ErrorScope, ErrorTree } from "./ErrorTree.js";

const [one, two, three] = ["one", "two", "three"].map(f1r3nodeReduceError);

test("one error is raised as it is, however deep", () => {
  const tree = new ErrorTree();
  tree.add(tree.root.group(0, 2).group(1, 2), 0, one!);
  expect(tree.combined()).toBe(one);
});

test("several come in the order of their terms, and groups in groups stay together", () => {
  const tree = new ErrorTree();
  const group = tree.root.group(0, 3);
  const inner = group.group(1, 2);
  tree.add(group, 2, three!);
  tree.add(inner, 1, two!);
  tree.add(inner, 0, one!);
  expect(tree.combined()?.message).toBe(
    'Error: Aggregate Error\nAggregateError { interpreter_errors: [ReduceError("one"), ReduceError("two")] }\nReduceError("three")',
  );
});

test("of many in each other each is written once", () => {
  const tree = new ErrorTree();
  const leaf = f1r3nodeReduceError("leaf");
  const { failure } = leaf;
  let looks = 0;
  const look = () => {
    looks += 1;
    return failure;
  };
  Object.defineProperty(leaf, "failure", { get: look });
  let scope = tree.root;
  for (let level = 0; level < 200; level += 1) {
    scope = scope.group(0, 2);
    tree.add(scope, 1, leaf);
    tree.add(scope, 1, leaf);
  }
  looks = 0;
  expect(tree.combined()?.message).toMatch(/^Error: Aggregate Error\n(AggregateError \{ interpreter_errors: \[){199}/);
  expect(looks).toBeLessThan(2_000);
});

test("an abort outranks a used-up limit, and that all else", () => {
  const tree = new ErrorTree();
  tree.add(tree.root.group(0, 2), 0, one!);
  tree.add(tree.root, 0, outOfPhlogistons());
  expect(tree.combined()?.failure.class).toBe("OutOfPhlogistonsError");
  tree.add(tree.root, 0, userAbort());
  expect(tree.combined()?.failure.class).toBe("UserAbortError");
});

test("a task that starts others for ever leaves no chain of groups behind", () => {
  let scope: ErrorScope = new ErrorTree().root;
  let depth = 0;
  for (let i = 0; i < 100; i += 1) {
    scope = scope.group(0, 2);
    scope.endTask();
  }
  for (let each: ErrorScope | undefined = scope; each !== undefined; each = each.parent) depth += 1;
  expect(depth).toBe(2);
});
