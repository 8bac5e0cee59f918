import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readSecretFile, SecretFileError } from "./secretFile.js";

const folder = mkdtempSync(join(tmpdir(), "vedette-secret-"));
afterAll(() => rmSync(folder, { recursive: true }));

function secretFile(text: string, mode: number): string {
  const path = join(folder, mode.toString(8));
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

test.skipIf(process.platform === "win32")("a secret that every user of the machine can read is refused", () => {
  for (const mode of [0o600, 0o400, 0o640])
    expect(readSecretFile(secretFile("secret", mode)).toString()).toBe("secret");
  for (const mode of [0o644, 0o604]) {
    const path = secretFile("secret", mode);
    expect(() => readSecretFile(path)).toThrow(
      `${path} is readable by every user of this machine (mode ${mode.toString(8)}); run \`chmod 600 ${path}\``,
    );
  }
});

test("what is no file, or larger than a secret, is distinguished from a secret", () => {
  const failureOf = (path: string) => {
    try {
      readSecretFile(path);
    } catch (error) {
      return error instanceof SecretFileError ? error.failure.code : error;
    }
    return undefined;
  };
  expect(failureOf(join(folder, "missing"))).toBe("unreadable");
  expect(failureOf(folder)).toBe("unreadable");
  expect(failureOf(secretFile("0".repeat(16_385), 0o600))).toBe("unreadable");
});
