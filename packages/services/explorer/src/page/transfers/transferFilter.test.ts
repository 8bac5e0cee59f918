import { asiToken } from "@vedette/client";
import { expect, test } from "vitest";
import { transferFilter } from "./transferFilter.js";

const address = "11112brKu2ej8aNjeHbUGgJ8Ma67WghgxSUPtC9aR1MKkjpSixztRL";

test("transfers are found by account, in both directions, and by amount", () => {
  expect(transferFilter({}, asiToken)).toEqual({ parts: [] });
  expect(transferFilter({ account: address, least: "1,000.5", most: "2000" }, asiToken)).toEqual({
    parts: [
      { _or: [{ from_address: { _eq: address } }, { to_address: { _eq: address } }] },
      { amount_dust: { _gte: "100050000000" } },
      { amount_dust: { _lte: "200000000000" } },
    ],
  });
});

test("a failed transfer has that state alone, whatever came of its deploy", () => {
  expect(transferFilter({ state: "failed" }, asiToken)).toEqual({
    parts: [{ _or: [{ status: { _eq: "failed" } }, { fate: { _in: ["failed", "failedSoFar"] } }] }],
  });
  expect(transferFilter({ state: "finalized" }, asiToken)).toEqual({
    parts: [{ fate: { _eq: "finalized" }, status: { _neq: "failed" } }],
  });
});

test("an invalid account or amount is reported", () => {
  expect(transferFilter({ account: "1111" }, asiToken)).toHaveProperty("fault");
  expect(transferFilter({ least: "many" }, asiToken)).toHaveProperty("fault");
});
