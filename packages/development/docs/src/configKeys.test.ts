import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { keyNames, keyOf } from "@vedette/config";
import { expect, test } from "vitest";
import { packageFolders, root } from "./documents.js";

/** The sources of all packages but the table of keys itself, tests left out. */
function sources(): string {
  const folders = packageFolders().filter((folder) => !folder.endsWith("/config"));
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder, "src"), { recursive: true, encoding: "utf8" }).map((file) =>
      join(root, folder, "src", file),
    ),
  );
  const isRead = (file: string) => /\.tsx?$/.test(file) && !/\.test\.ts$|\/testing\/|\/generated\//.test(file);
  return files
    .filter(isRead)
    .map((file) => readFileSync(file, "utf8"))
    .join("\n");
}

test("a key has its documented effect, or states that it has none", () => {
  const text = sources();
  const others = new Set(
    keyNames.flatMap((name) => {
      const { default: value } = keyOf(name);
      return typeof value === "object" && "sameAs" in value ? [value.sameAs] : [];
    }),
  );
  const isRead = (name: string) => text.includes(`"${name}"`) || text.includes(`config.${name}`) || others.has(name);
  const silent = keyNames.filter((name) => keyOf(name).doc.startsWith("accepted, without effect"));
  expect(keyNames.filter((name) => !isRead(name) && !silent.includes(name))).toEqual([]);
  expect(silent.filter((name) => text.includes(`"${name}"`))).toEqual([]);
});
