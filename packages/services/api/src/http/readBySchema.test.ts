import fc from "fast-check";
import type { TSchema } from "typebox";
import * as Type from "typebox";
import { expect, test } from "vitest";
import { parseJson } from "../json/parseJson.js";
import { type JsonValue, printJson } from "../json/printJson.js";
import { readBySchema, SchemaError } from "./readBySchema.js";
import { readParameters } from "./readParameters.js";
import { rhoExpr, unforgeableInput } from "./rhoValues.js";
import { hexBytes, int32, int64, orNull, renamed } from "./scalars.js";
import { deployRequest } from "./values.js";

const read = (schema: TSchema, text: string, extra: "ignore" | "refuse" = "refuse") =>
  readBySchema(schema, parseJson(text), extra);

function refusal(schema: TSchema, text: string, extra: "ignore" | "refuse" = "refuse"): string {
  try {
    read(schema, text, extra);
  } catch (error) {
    if (error instanceof SchemaError) return `${error.field} ${error.message}`;
    throw error;
  }
  return "";
}

test("64-bit integers keep every digit, as numbers and as texts", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (value) => {
      expect(read(int64(), String(value))).toBe(value);
      expect(read(int64(), `"${value}"`)).toBe(value);
    }),
  );
  for (const text of ["9223372036854775808", "-9223372036854775809", '"1.5"', "1e99", "true", "null", '""'])
    expect(refusal(int64(), text)).toMatch(/^ must be an integer/);
  expect(read(int64(), "1.5e1")).toBe(15n);
  expect(refusal(int32(), "2147483648")).toBe(" must be an integer of 32 bits");
  expect(refusal(int32({ minimum: 0, maximum: 9 }), "-1")).toBe(" must be at least 0");
});

test("a member that was renamed is read from answers of earlier nodes, and the present name counts first", () => {
  const schema = Type.Object({ present: renamed("earlier", orNull(int32())) });
  expect(read(schema, '{"earlier": 1}', "ignore")).toEqual({ present: 1 });
  expect(read(schema, '{"present": 2, "earlier": 1}', "ignore")).toEqual({ present: 2 });
  expect(read(schema, '{"present": null, "earlier": 1}', "ignore")).toEqual({ present: null });
  expect(refusal(schema, "{}", "ignore")).toBe("present is missing");
});

test("a refusal names the place", () => {
  const data = '"term":"Nil","timestamp":1,"phloPrice":1,"phloLimit":1,"validAfterBlockNumber":1';
  const rest = '"deployer":"","signature":"","sigAlgorithm":""';
  expect(refusal(deployRequest, "[]")).toBe(" must be an object");
  expect(refusal(deployRequest, `{"data":{${data}},${rest}}`)).toBe("data.shardId is missing");
  expect(refusal(deployRequest, `{"data":{${data},"shardId":1},${rest}}`)).toBe("data.shardId must be a text");
  expect(refusal(deployRequest, `{"data":{${data},"shardId":"","x":1},${rest}}`)).toMatch(/^data.x is not known here/);
  expect(refusal(deployRequest, `{"data":{${data},"shardId":"","x":1},${rest}}`, "ignore")).toBe("");
  const names = Type.Array(hexBytes(2), { maxItems: 2 });
  expect(refusal(names, '["0001","zz"]')).toBe("[1] must be 4 hex digits");
  expect(refusal(names, '["0001","0001","0001"]')).toBe(" must have at most 2 items");
  expect(refusal(unforgeableInput, '{"UnforgDeploy":{"data":1}}', "ignore")).toBe("UnforgDeploy.data must be a text");
  expect(refusal(orNull(Type.Enum(["a", "b"])), '"c"')).toBe(" is of none of the kinds that are allowed here");
});

test("a long member name of a request is cut short in the error", () => {
  const schema = Type.Object({ a: Type.Optional(int32()) });
  expect(refusal(schema, `{"${"x".repeat(10_000)}":1}`).length).toBeLessThan(200);
  expect(read(schema, '{"__proto__":1,"constructor":2}', "ignore")).toEqual({});
  expect(refusal(schema, '{"__proto__":1}')).toMatch(/^__proto__ is not known here/);
});

test("values inside values are read as deep as JSON is", () => {
  const nested = (depth: number): JsonValue =>
    depth === 0 ? { ExprInt: { data: 2n ** 62n } } : { ExprList: { data: [nested(depth - 1)] } };
  expect(refusal(rhoExpr, printJson(nested(60)))).toBe("");
  expect(refusal(rhoExpr, '{"ExprMap":{"data":{"k":{"ExprNil":{}}}}}')).toBe("");
  expect(refusal(rhoExpr, '{"ExprMap":{"data":{"k":{"ExprNo":{}}}}}')).not.toBe("");
});

test("parameters are texts", () => {
  const schema = Type.Object({
    depth: Type.Optional(int32()),
    flag: Type.Optional(Type.Boolean()),
    kinds: Type.Optional(Type.Array(Type.Enum(["a", "b"]))),
  });
  const given = (parameters: object) => readParameters(schema, parameters as Record<string, unknown>, "refuse");
  expect(given({ depth: "-3", flag: "true", kinds: "a" })).toEqual({ depth: -3, flag: true, kinds: ["a"] });
  expect(given({ kinds: ["a", "b"] })).toEqual({ kinds: ["a", "b"] });
  for (const bad of [
    { depth: "1e2" },
    { depth: "1.0" },
    { depth: "" },
    { depth: ["1", "2"] },
    { flag: "1" },
    { x: "1" },
  ])
    expect(() => given(bad)).toThrow(SchemaError);
});
