import { expect, test } from "vitest";
import { hideKeys, titleWithoutKey } from "./hideKeys.js";

const key = "67e56582298859ddae725f972992a07c6c4fb9f62a8fff58ce3ca926a1063530";

test("errors about the command line repeat no key", () => {
  for (const text of [
    `error: unknown option '--privat-key=${key}'`,
    `error: option '--amount <amount>' argument '${key}' is invalid.`,
    `error: unknown command '0x${key.toUpperCase()}'`,
    "error: option '--private-key <hex>' argument '--private-key=short' is invalid",
  ]) {
    const hidden = hideKeys(text);
    expect(hidden).not.toMatch(/67e5|67E5|short/);
    expect(hidden).toContain("<hidden>");
  }
  expect(hideKeys("error: option '--private-key <hex>' argument missing")).toBe(
    "error: option '--private-key <hex>' argument missing",
  );
});

test("the list of processes shows the command line without the key", () => {
  expect(titleWithoutKey(["deploy", "-f", "a.rho", "--private-key", key, "-p", "1"])).toBe(
    "vedette deploy -f a.rho --private-key … -p 1",
  );
  expect(titleWithoutKey(["run", `--validator-private-key=${key}`])).toBe("vedette run --validator-private-key=…");
  expect(titleWithoutKey(["keys", "public", key])).toBe("vedette keys public …");
  expect(titleWithoutKey(["deploy", "--private-key-file", "my.key"])).toBeUndefined();
});
