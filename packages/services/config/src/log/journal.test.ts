import { closeSync, fstatSync, openSync } from "node:fs";
import { expect, test } from "vitest";
import { isJournal } from "./journal.js";

test("a stream is the journal's when it is the very one that systemd has named", () => {
  const file = openSync("/dev/null", "w");
  const { dev, ino } = fstatSync(file, { bigint: true });
  expect(isJournal(`${dev}:${ino}`, file)).toBe(true);
  for (const other of [undefined, "", `${dev}:${ino + 1n}`, "x"]) expect(isJournal(other, file)).toBe(false);
  closeSync(file);
  expect(isJournal(`${dev}:${ino}`, file)).toBe(false);
});
