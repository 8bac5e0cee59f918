import * as Type from "typebox";
import { expect, test } from "vitest";
import { eventAmounts } from "../events/eventMessages.js";
import { parseJson } from "../json/parseJson.js";
import { printJson } from "../json/printJson.js";
import { balancesRoute, deploysRoute, transfersRoute } from "./accountRoutes.js";
import { amountNames } from "./amountNames.js";
import { readBySchema } from "./readBySchema.js";
import { amount64, int64 } from "./scalars.js";

const large = 2n ** 63n - 1n;

test("amounts are decimal texts in JSON, and are read from these and from numbers", () => {
  const schema = Type.Object({
    amount: amount64(),
    height: int64(),
    parts: Type.Array(Type.Object({ cost: amount64() })),
  });
  const value = { amount: large, height: 7n, parts: [{ cost: -1n }] };
  const text = printJson(value, amountNames(schema));
  expect(text).toBe(`{"amount":"${large}","height":7,"parts":[{"cost":"-1"}]}`);
  for (const printed of [text, printJson(value)])
    expect(readBySchema(schema, parseJson(printed), "refuse")).toEqual(value);
  for (const wrong of ['"1.5"', '"x"', `"${large + 1n}"`, "true"])
    expect(() => readBySchema(schema, parseJson(`{"amount":${wrong},"height":1,"parts":[]}`), "refuse")).toThrow();
});

test("the amounts of our routes and events are known by their names", () => {
  expect(amountNames(balancesRoute.answer.schema)).toEqual(new Set(["balance"]));
  expect(amountNames(transfersRoute.answer.schema)).toEqual(new Set(["amount"]));
  expect(amountNames(deploysRoute.answer.schema)).toEqual(new Set(["phloPrice", "phloLimit", "cost", "amount"]));
  expect(eventAmounts).toEqual(new Set(["cost", "amount"]));
});

test("a name that is an amount here and another integer there is no name for either", () => {
  const schema = Type.Object({ cost: amount64(), of: Type.Object({ cost: int64() }) });
  expect(() => amountNames(schema)).toThrow("cost is an amount, and another integer");
});
