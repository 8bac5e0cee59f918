import { historyLines } from "@vedette/node/testing";
import { expect, test } from "vitest";
import { historyBegins } from "./untilHistoryBegins.js";

test("the lines that a test waits for are those that a node logs", () => {
  expect(historyLines.begun(9n, -1n).text).toMatch(historyBegins);
  expect(historyLines.begun(9n, 4n).text).toMatch(historyBegins);
  expect(historyLines.proven(9n).text).not.toMatch(historyBegins);
});
