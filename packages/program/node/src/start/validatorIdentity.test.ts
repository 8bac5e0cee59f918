import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { type KeyName, readConfig } from "@vedette/config";
import { fromHex, SignatureError, toHex, verifySignature, writeKeyFiles } from "@vedette/crypto";
import { expect, onTestFinished, test } from "vitest";
import { ValidatorKeyError, validatorIdentityOf } from "./validatorIdentity.js";

const key = "67e56582298859ddae725f972992a07c6c4fb9f62a8fff58ce3ca926a1063530";

function configOf(options: Record<string, string>) {
  return readConfig({
    home: "/nowhere",
    profile: undefined,
    configFile: undefined,
    options: new Map(Object.entries(options) as [KeyName, string][]),
    environment: {},
  }).config;
}

function keyFile(text: string, mode = 0o600): string {
  const folder = mkdtempSync(join(tmpdir(), "vedette-key-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "validator.key");
  writeFileSync(path, text, { mode });
  chmodSync(path, mode);
  return path;
}

test("without a key a node is an observer", () => {
  expect(validatorIdentityOf(configOf({}))).toBeUndefined();
});

test("the key of a file signs, and wins over the key of the configuration", () => {
  const path = keyFile(`${key}\n`);
  const other = "1".repeat(64);
  const identity = validatorIdentityOf(
    configOf({ "casper.validator-private-key-path": path, "casper.validator-private-key": other }),
  )!;
  expect(toHex(identity.publicKey)).toMatch(/^04c591a8ff19ac9c4e4e5793673b83123437e975285e7b442f4ee2654dffca5e2d/);
  const hash = new Uint8Array(32).fill(7);
  const signed = { message: hash, signature: identity.sign(hash), publicKey: identity.publicKey };
  expect(verifySignature("f1r3node", "secp256k1", signed)).toBe(true);
});

test("the identity does not show its key", () => {
  const identity = validatorIdentityOf(configOf({ "casper.validator-private-key": key }))!;
  const shown = inspect(identity, { showHidden: true, depth: 9 }) + JSON.stringify(identity);
  expect(shown).not.toContain(key);
  expect(shown).not.toContain(fromHex(key).join(","));
});

test("a node that has ended cannot sign any more", () => {
  const identity = validatorIdentityOf(configOf({ "casper.validator-private-key": key }))!;
  identity[Symbol.dispose]();
  expect(() => identity.sign(new Uint8Array(32))).toThrow(SignatureError);
});

test("a file that every user can read is refused, and so is one without a key", () => {
  expect(() => validatorIdentityOf(configOf({ "casper.validator-private-key-path": keyFile(key, 0o644) }))).toThrow(
    /is readable by every user .*chmod 600/,
  );
  expect(() => validatorIdentityOf(configOf({ "casper.validator-private-key-path": keyFile(" \n") }))).toThrow(
    /File is empty or contains only whitespace/,
  );
  expect(() => validatorIdentityOf(configOf({ "casper.validator-private-key-path": keyFile("no key") }))).toThrow(
    /Expected base16-encoded \(hex\) private key/,
  );
});

test("an encrypted file is opened by its password, and says so where there is none", () => {
  const folder = mkdtempSync(join(tmpdir(), "vedette-key-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { encryptedKey } = writeKeyFiles(folder, fromHex(key), "secret");
  const config = configOf({ "casper.validator-private-key-path": encryptedKey });
  expect(toHex(validatorIdentityOf(config, "secret")!.publicKey)).toMatch(/^04c591a8ff19ac9c/);
  expect(() => validatorIdentityOf(config)).toThrow(/is encrypted: set VEDETTE_KEY_PASSWORD/);
  expect(() => validatorIdentityOf(config, "wrong")).toThrow(/cannot open key file .*: wrong password/);
});

test("a wrong key in the configuration is refused without being shown", () => {
  const wrong = "f".repeat(64);
  const read = () => validatorIdentityOf(configOf({ "casper.validator-private-key": wrong }));
  expect(read).toThrow(ValidatorKeyError);
  expect(read).not.toThrow(wrong);
});
