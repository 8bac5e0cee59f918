import { expect, test } from "vitest";
import { errorText } from "./errorText.js";

test("an error gives its message, anything else its own text", () => {
  expect(errorText(new RangeError("too large"))).toBe("too large");
  expect(errorText("gone")).toBe("gone");
  expect(errorText(undefined)).toBe("undefined");
});
