import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Line } from "@vedette/config/log";
import { expect, test } from "vitest";
import { reportUncheckedValues } from "./uncheckedValues.js";

const mib = 1 << 20;

test("a start says of which files it has not looked at the values", () => {
  const folder = mkdtempSync(join(tmpdir(), "vedette-unchecked-"));
  const environment = (name: string, sizeBytes: number) => {
    const path = join(folder, name);
    mkdirSync(path);
    writeFileSync(join(path, "data.mdb"), "");
    truncateSync(join(path, "data.mdb"), sizeBytes);
    return path;
  };
  const lines: Line[] = [];
  const paths = [environment("chain", 64 * mib), environment("state", 64 * mib + 1), join(folder, "absent")];
  reportUncheckedValues(paths, (line) => void lines.push(line));
  rmSync(folder, { recursive: true });
  expect(lines.map(({ level, text }) => [level, text])).toEqual([
    ["info", expect.stringMatching(/^state\/data\.mdb has 65 MiB: .* the values were not; .*`vedette db verify`/)],
  ]);
});
