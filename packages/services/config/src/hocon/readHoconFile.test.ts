// biome-ignore-all lint/suspicious/noTemplateCurlyInString: HOCON's substitutions look like placeholders
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { HoconValue } from "./hoconNode.js";
import { readHoconFile } from "./readHoconFile.js";
import { resolveHocon } from "./resolveHocon.js";

const folder = mkdtempSync(join(tmpdir(), "vedette-hocon-"));
afterAll(() => rmSync(folder, { recursive: true }));

const write = (name: string, text: string): string => {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
};
const plain = (value: HoconValue): unknown => {
  if (value.kind === "text") return value.text;
  if (value.kind === "array") return value.items.map(plain);
  return Object.fromEntries([...value.fields].map(([name, inner]) => [name, plain(inner)]));
};
const read = (path: string): unknown => {
  const root = readHoconFile(path);
  return root === undefined ? undefined : plain(resolveHocon(root, () => undefined));
};
const faultOf = (path: string): string => {
  try {
    read(path);
  } catch (error) {
    return String((error as Error).message)
      .split("\n")
      .slice(1)
      .join("\n")
      .replaceAll(folder, "…");
  }
  return "no fault";
};

test("included files are found beside the file, put under their section and may be missing", () => {
  write("common/base.conf", 'port = 1\nhost = "a"\naddress = ${host}":"${port}');
  write("common/both.conf", 'include "base.conf"\nport = 2');
  const path = write(
    "main.conf",
    'server { include file("common/both.conf"), host = b }\ninclude "missing.conf"\nport = 9',
  );
  expect(read(path)).toEqual({ server: { port: "2", host: "b", address: "b:2" }, port: "9" });
});

test("a file that is not there is no file, a required one is a fault", () => {
  expect(read(join(folder, "nowhere.conf"))).toBeUndefined();
  const path = write("required.conf", 'a = 1\ninclude required(file("gone.conf"))');
  expect(faultOf(path)).toBe("…/required.conf:2:1: the required file …/gone.conf does not exist");
});

test("a fault in an included file names that file", () => {
  write("broken.conf", "a = 1\nb = [");
  expect(faultOf(write("outer.conf", 'include "broken.conf"'))).toBe("…/broken.conf:2:5: this [ has no closing ]");
});

test("files that include themselves, too many files and too large ones are refused", () => {
  expect(faultOf(write("self.conf", 'include "self.conf"'))).toMatch(/files include each other more than 10 deep/);
  expect(faultOf(write("many.conf", 'include "common/base.conf"\n'.repeat(60)))).toMatch(
    /more than 50 files are included$/,
  );
  expect(faultOf(write("large.conf", "#".repeat(1_100_000)))).toMatch(/large\.conf is larger than 1048576 bytes$/);
  expect(faultOf(folder)).toMatch(/cannot be read: EISDIR/);
});
