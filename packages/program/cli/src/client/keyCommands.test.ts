import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fromHex, readEncryptedKeyFile, readPrivateKeyFile, secp256k1PublicKeyOf, toHex } from "@vedette/crypto";
import { afterAll, expect, test } from "vitest";
import { runCommand, testKey } from "./testing/runCommand.js";

const folder = mkdtempSync(join(tmpdir(), "vedette-keys-"));
afterAll(() => rmSync(folder, { recursive: true }));

const publicKey = toHex(secp256k1PublicKeyOf(fromHex(testKey)));

test("a new key goes to a file of its own, which is never overwritten", async () => {
  const path = join(folder, "new.key");
  const run = await runCommand(["keys", "generate", path]);
  const key = toHex(readPrivateKeyFile(path));
  const itsPublicKey = toHex(secp256k1PublicKeyOf(fromHex(key)));
  expect(run.output).toMatch(
    new RegExp(`^Private key file: .*new\\.key\nPublic key: ${itsPublicKey}\nAddress: 1111\\w+\n$`),
  );
  expect(run.output).not.toContain(key);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const again = await runCommand(["keys", "generate", path, "--json"]);
  expect(again.exitCode).toBe(1);
  expect(JSON.parse(again.output).error).toMatchObject({
    code: "cannotWrite",
    message: expect.stringMatching(/EEXIST/),
  });
  expect(toHex(readPrivateKeyFile(path))).toBe(key);
});

test("the public key of a key, wherever it is", async () => {
  const path = join(folder, "known.key");
  writeFileSync(path, testKey, { mode: 0o600 });
  const ways: [string[], Record<string, string>][] = [
    [[path], {}],
    [[testKey], {}],
    [["--private-key", testKey], {}],
    [["--private-key-file", path], {}],
    [[], { VEDETTE_PRIVATE_KEY: `0x${testKey}\n` }],
    [[], { VEDETTE_PRIVATE_KEY_FILE: path }],
  ];
  for (const [args, environment] of ways) {
    expect(await runCommand(["keys", "public", ...args], { environment })).toEqual({
      exitCode: 0,
      output: `${publicKey}\n`,
      errors: "",
    });
  }
  expect((await runCommand(["keys", "public"])).errors).toMatch(/^vedette: Private key is missing/);
});

test("the addresses of chapter 41 §12.3", async () => {
  const address = async (text: string) => (await runCommand(["keys", "address", text])).output.trim();
  expect(await address("0".repeat(130))).toBe("1111WPpi6SB8FpNMtC9drZg3R8T1fH2BVyT52xPUXBbdKDfmskG1r");
  expect(await address("11".repeat(65))).toBe("1111pdZDG4MZ3eBfaipaD22VXmbFY6PW9ZdGDWdEcXZz4gGxTxgn9");
  expect(await address("22".repeat(65))).toBe("11112CXAkc8pV2AMHUSgHGbFkqovgyY9SRja4ZLSpRC9q7qYZx5SVc");
  const key =
    "04f700a417754b775d95421973bdbdadb2d23c8a5af46f1829b1431f5c136e549e8a0d61aa0c793f1a614f8e437711c7758473c6ceb0859ac7e9e07911ca66b5c4";
  expect(await address(key)).toBe("11112VYAt8rUGNRRZX3eJdgagaAhtWTK8Js7F7X5iqddMVqyDTtYau");
  expect(await address(`0x${key}`)).toBe("11112VYAt8rUGNRRZX3eJdgagaAhtWTK8Js7F7X5iqddMVqyDTtYau");
  const good = "1111K9MczqzZrNkUNmNGrNFyz7F7LiCUgaCHXd28g2k5PxiaNuCAi";
  expect(await address(good)).toBe(good);
  expect((await runCommand(["keys", "address", `${good.slice(0, -1)}j`])).errors).toBe(
    "vedette: This is no vault address: Invalid checksum\n",
  );
  const own = await runCommand(["keys", "address", "--json"], { environment: { VEDETTE_PRIVATE_KEY: testKey } });
  expect(await address(publicKey)).toBe(JSON.parse(own.output).address);
});

test("keygen prompts until the password is there twice, and reports what it wrote", async () => {
  const place = join(folder, "pair");
  const secrets = ["", "one", "two", "secret", "secret"];
  const run = await runCommand(["keygen", place], { secrets });
  expect(run.errors.split("\n").slice(0, -1)).toEqual([
    "Enter password for keyfile: ",
    "Password is empty. Try again:",
    "Enter password for keyfile: ",
    "Repeat password: ",
    "Passwords do not match. Try again:",
    "Enter password for keyfile: ",
    "Repeat password: ",
  ]);
  expect(run.output).toBe(
    `Success!
Private key file (encrypted PEM format):  ${place}/rnode.key
Public  key file (PEM format):            ${place}/rnode.pub.pem
Public  key file (HEX format):            ${place}/rnode.pub.hex
`,
  );
  const key = readEncryptedKeyFile(join(place, "rnode.key"), "secret");
  expect(readFileSync(join(place, "rnode.pub.hex"), "utf8")).toBe(`${toHex(secp256k1PublicKeyOf(key))}\n`);
  const used = await runCommand(["keys", "public", join(place, "rnode.key")], { secrets: ["secret"] });
  expect(used.output).toBe(`${toHex(secp256k1PublicKeyOf(key))}\n`);
  const again = await runCommand(["keygen", place], { secrets: [] });
  expect(again.errors).toMatch(/cannot write key file .*rnode\.key: it is there already/);
});

test("keygen takes the password from the environment", async () => {
  const place = join(folder, "unattended");
  const run = await runCommand(["keygen", place, "--json"], { environment: { VEDETTE_KEY_PASSWORD: "secret" } });
  expect(JSON.parse(run.output)).toMatchObject({
    encryptedKey: join(place, "rnode.key"),
    address: expect.stringMatching(/^1111/),
  });
  expect(run.errors).toBe("");
  const empty = await runCommand(["keygen", join(folder, "none")], { environment: { VEDETTE_KEY_PASSWORD: "" } });
  expect(empty.errors).toBe("vedette: no password given\n");
  expect(existsSync(join(folder, "none"))).toBe(false);
});
