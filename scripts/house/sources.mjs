// The sources that the house rules are about, and their names.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { codeOf } from "./codeOf.mjs";

/** All sources of the checkout, new ones too. */
export function readSources() {
  const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], { encoding: "utf8" });
  return listed
    .split("\n")
    .filter((path) => /^(packages|contracts|examples|editors|scripts)\/.*\.(tsx?|mjs)$/.test(path))
    .filter((path) => !path.includes("/generated/") && existsSync(path))
    .map((path) => sourceOf(path, readFileSync(path, "utf8")));
}

/** A source with its code by line, without comments and texts, and the names in it. */
export function sourceOf(path, text) {
  const lines = codeOf(text).split("\n");
  const names = lines.flatMap((code, index) =>
    [...code.matchAll(/[A-Za-z_$][\w$]*/g)].map(([name]) => ({ name, line: index + 1 })),
  );
  return { path, text, lines, names };
}
