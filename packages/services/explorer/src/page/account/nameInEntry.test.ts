import { expect, test } from "vitest";
import { nameInEntry } from "./nameInEntry.js";

const text = (data: string) => ({ ExprString: { data } });
const entry = (map: object) => ({ ExprTuple: { data: [{ ExprInt: { data: 3 } }, { ExprMap: { data: map } }] } });

test("an account's own entry in the registry gives its name", () => {
  expect(nameInEntry(entry({ name: text("Lighthouse"), site: text("x") }))).toBe("Lighthouse");
});

test("entries without a name that can be shown give none", () => {
  const long = "n".repeat(65);
  for (const other of [
    undefined,
    null,
    text("Lighthouse"),
    entry({}),
    entry({ name: text("  ") }),
    entry({ name: text(long) }),
    entry({ name: { ExprInt: { data: 1 } } }),
    { ExprTuple: { data: [entry({})] } },
    { ExprTuple: { data: "ab" } },
    JSON.parse('{"ExprTuple":{"data":[1,{"ExprMap":{"data":{"__proto__":{"name":{"ExprString":{"data":"x"}}}}}}]}}'),
  ])
    expect(nameInEntry(other)).toBeUndefined();
});
