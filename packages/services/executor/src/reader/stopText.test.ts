import { expect, test } from "vitest";
import { stopText } from "./stopText.js";

test("the text about a stopped program has the true time and the limit", () => {
  const textOf = (reason: Parameters<typeof stopText>[0]["reason"], memoryMb?: number) =>
    stopText({ reason, afterMs: 4_012.4, memoryMb }, 20_000);
  expect(textOf("memory", 384)).toBe(
    "The program was stopped after 4012 ms: it needs more memory than there is for programs (384 MB).",
  );
  expect(textOf("memory")).toBe(
    "The program was stopped after 4012 ms: it needs more memory than there is for programs.",
  );
  expect(textOf("deadline")).toBe("The program was stopped after 4012 ms: it may run for 20000 ms.");
  expect(textOf("pending")).toBe("The program was stopped after 4012 ms: too many of its branches wait at once.");
  expect(textOf("steps")).toBe("The program was stopped after 4012 ms: it took more steps than it may.");
  expect(textOf("cancelled")).toBe("The program was stopped after 4012 ms: the request was cancelled.");
});
