import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hashOfApiKey } from "@vedette/server/keys";
import { afterAll, expect, test } from "vitest";
import { createApiKey, listApiKeys, revokeApiKey } from "./apiKeyCommands.js";

const folder = mkdtempSync(join(tmpdir(), "vedette-api-keys-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("keys are made, listed and revoked, and the file has nothing but their hashes", () => {
  const file = join(folder, "keys.json");
  const said: string[] = [];
  const print = (line: string) => said.push(line);
  const given = { file, requestsPerSecond: "500" };
  expect(createApiKey("explorer", given, print)).toBe(0);
  const [key] = said;
  expect(key).toMatch(/^vedette_[A-Za-z0-9_-]{43}$/);
  const text = readFileSync(file, "utf8");
  expect(text).not.toContain(key);
  expect(text).toContain(hashOfApiKey(key!));
  expect(createApiKey("wallet", { file, json: true }, print)).toBe(0);
  expect(JSON.parse(said[1]!)).toMatchObject({ name: "wallet", requestsPerSecond: 200, requestsAtOnce: 2_000 });
  said.length = 0;
  listApiKeys({ file }, print);
  expect(said).toEqual([
    expect.stringMatching(/^name {6}requests\/s {2}at once {2}made$/),
    expect.stringMatching(/^explorer {9}500 {5}2000 {2}20/),
    expect.stringMatching(/^wallet {11}200 {5}2000 {2}20/),
  ]);
  expect(() => createApiKey("wallet", { file }, print)).toThrow("There is an API key called wallet already");
  expect(() => revokeApiKey("unknown", { file }, print)).toThrow('no API key called unknown; "vedette api-key list"');
  revokeApiKey("explorer", { file }, print);
  said.length = 0;
  listApiKeys({ file, json: true }, print);
  expect((JSON.parse(said[0]!) as { name: string }[]).map(({ name }) => name)).toEqual(["wallet"]);
});

test("an impossible change is refused, and the file stays as it was", () => {
  const file = join(folder, "wrong.json");
  writeFileSync(file, "keys");
  expect(() => createApiKey("one", { file })).toThrow(`${file} is no file of API keys`);
  expect(readFileSync(file, "utf8")).toBe("keys");
  writeFileSync(file, '{"keys":[]}');
  writeFileSync(`${file}.new`, "");
  expect(() => createApiKey("one", { file })).toThrow(
    `Another command writes ${file}; if none does, remove ${file}.new`,
  );
  expect(() => createApiKey("two words", { file })).toThrow("<name> must be 1 to 64 letters");
  expect(() => createApiKey("one", { file, requestsPerSecond: "0" })).toThrow("--requests-per-second must be");
  expect(() => listApiKeys({ file: join(folder, "none") })).toThrow("none cannot be used: ");
  const dataDir = join(folder, "empty");
  expect(() => listApiKeys({ dataDir })).toThrow("Give --file, or set api-server.keys.file");
});
