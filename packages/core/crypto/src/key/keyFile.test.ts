import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { fromHex, toHex } from "../bytes/hex.js";
import { secp256k1PublicKeyOf } from "../signature/secp256k1.js";
import { KeyFileError } from "./KeyFileError.js";
import { readEncryptedKeyFile, readPrivateKeyFile, writeKeyFiles } from "./keyFile.js";

const folder = mkdtempSync(join(tmpdir(), "vedette-key-"));
afterAll(() => rmSync(folder, { recursive: true }));

const keyHex = "67e56582298859ddae725f972992a07c6c4fb9f62a8fff58ce3ca926a1063530";
let count = 0;
const keyFile = (text: string, mode = 0o600) => {
  const path = join(folder, `key${count++}`);
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
};
const messageOf = (run: () => unknown) => {
  try {
    run();
  } catch (error) {
    expect(error).toBeInstanceOf(KeyFileError);
    return (error as KeyFileError).message.replaceAll(folder, "…");
  }
  return undefined;
};

test("a key is read from hexadecimal text, whatever white space is in it", () => {
  expect(toHex(readPrivateKeyFile(keyFile(`${keyHex}\n`)))).toBe(keyHex);
  expect(toHex(readPrivateKeyFile(keyFile(` ${keyHex.slice(0, 10)}\r\n\t${keyHex.slice(10).toUpperCase()}`)))).toBe(
    keyHex,
  );
  expect(toHex(readPrivateKeyFile(keyFile(keyHex, 0o640)))).toBe(keyHex);
});

test("the faults of a key file", () => {
  expect(messageOf(() => readPrivateKeyFile(keyFile(" \n")))).toMatch(
    /^Invalid private key file format at .*\. File is empty or contains only whitespace\.$/,
  );
  expect(messageOf(() => readPrivateKeyFile(keyFile("0x12")))).toMatch(
    /Expected base16-encoded \(hex\) private key\.$/,
  );
  expect(messageOf(() => readPrivateKeyFile(keyFile(keyHex, 0o644)))).toMatch(
    /^private key file (.*) is readable by every user of this machine \(mode 644\): run `chmod 600 \1`$/,
  );
  for (const text of ["12", "00".repeat(32), "ff".repeat(32), keyHex + keyHex]) {
    expect(messageOf(() => readPrivateKeyFile(keyFile(text)))).toMatch(/invalid private key in/);
  }
  expect(messageOf(() => readPrivateKeyFile(join(folder, "missing")))).toMatch(/^cannot read .*ENOENT/);
  expect(messageOf(() => readPrivateKeyFile(folder))).toMatch(/^cannot read .*EISDIR/);
  expect(messageOf(() => readPrivateKeyFile(keyFile("0".repeat(100_000))))).toMatch(/larger than 16384 bytes$/);
});

test("a written key pair can be read again with its password, by OpenSSL too", () => {
  const paths = writeKeyFiles(folder, fromHex(keyHex), "secret");
  expect(toHex(readEncryptedKeyFile(paths.encryptedKey, "secret"))).toBe(keyHex);
  const publicKey = toHex(secp256k1PublicKeyOf(fromHex(keyHex)));
  expect(readFileSync(paths.publicKeyHex, "utf8")).toBe(`${publicKey}\n`);
  const pem = readFileSync(paths.encryptedKey, "utf8");
  expect(pem).toMatch(/^-----BEGIN EC PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,/);
  expect(readFileSync(paths.publicKeyPem, "utf8")).toMatch(/^-----BEGIN PUBLIC KEY-----\n/);
  expect(statSync(paths.encryptedKey).mode & 0o777).toBe(0o600);
});

test("a wrong password, another file and an existing file each fail with their own error", () => {
  const other = mkdtempSync(join(folder, "other-"));
  const paths = writeKeyFiles(other, fromHex(keyHex), "secret");
  for (const run of [
    () => readEncryptedKeyFile(paths.encryptedKey, "wrong"),
    () => readEncryptedKeyFile(paths.publicKeyHex, "secret"),
    () => readEncryptedKeyFile(paths.publicKeyPem, "secret"),
  ]) {
    expect(messageOf(run)).toMatch(
      /cannot open key file .*: wrong password, or not an encrypted secp256k1 key in PEM form$/,
    );
  }
  expect(messageOf(() => writeKeyFiles(other, fromHex(keyHex), "secret"))).toMatch(/^cannot write key file .*EEXIST/);
});

const hasOpenssl = (() => {
  try {
    execFileSync("openssl", ["version"]);
    return true;
  } catch {
    return false;
  }
})();

if (hasOpenssl)
  test("a key file that OpenSSL wrote can be read", () => {
    const path = join(folder, "openssl.key");
    const plain = execFileSync("openssl", ["ecparam", "-name", "secp256k1", "-genkey", "-noout"], { stdio: "pipe" });
    const encrypt = ["ec", "-aes256", "-passout", "pass:secret", "-out", path];
    execFileSync("openssl", encrypt, { input: plain, stdio: "pipe" });
    expect(readEncryptedKeyFile(path, "secret").length).toBe(32);
  });
