import { expect, test } from "vitest";
import { LossyLines } from "./LossyLines.js";

test("lines that find no room are left out, and counted when there is room again", () => {
  let text = "";
  let code: string | undefined;
  const lines = new LossyLines((part) => {
    if (code !== undefined) throw Object.assign(new Error("no"), { code });
    text += part;
  });
  lines.write("one\n");
  code = "ENOSPC";
  for (const line of ["two\n", "three\n"]) lines.write(line);
  code = undefined;
  lines.write("four\n");
  lines.write("five\n");
  const [first, empty, note, ...rest] = text.split("\n");
  expect([first, empty, ...rest]).toEqual(["one", "", "four", "five", ""]);
  expect(JSON.parse(note!)).toMatchObject({
    level: "warn",
    msg: "2 lines of this log are missing: the disk had no room.",
  });
  code = "EACCES";
  expect(() => lines.write("six\n")).toThrow("no");
});
