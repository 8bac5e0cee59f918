import { expect, test } from "vitest";
import { errorText } from "./errorText.js";

test("an error says its message, anything else itself", () => {
  expect(errorText(new RangeError("too large"))).toBe("too large");
  expect(errorText("gone")).toBe("gone");
  expect(errorText(undefined)).toBe("undefined");
});
