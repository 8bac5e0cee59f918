import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Config, type KeyName, readConfig } from "@vedette/config";
import type { Line } from "@vedette/config/log";
import { fromHex, secp256k1PublicKeyOf, toHex, vaultAddressOfPublicKey } from "@vedette/crypto";
import { asOrdinaryUser } from "@vedette/testing";
import { describe, expect, onTestFinished, test } from "vitest";
import { readGenesisParameters } from "./readGenesisParameters.js";

const keyOf = (seed: number) => toHex(secp256k1PublicKeyOf(new Uint8Array(32).fill(seed)));
const [one, two, three] = [1, 2, 3].map(keyOf) as [string, string, string];
const addressOf = (key: string) => vaultAddressOfPublicKey(fromHex(key))!;

class Folder {
  readonly path = mkdtempSync(join(tmpdir(), "vedette-genesis-"));
  readonly bonds = join(this.path, "genesis", "bonds.txt");
  readonly wallets = join(this.path, "genesis", "wallets.txt");
  readonly lines: Line[] = [];

  constructor(files: { readonly bonds?: string; readonly wallets?: string } = {}) {
    onTestFinished(() => rmSync(this.path, { recursive: true }));
    if (files.bonds === undefined && files.wallets === undefined) return;
    mkdirSync(join(this.path, "genesis"));
    if (files.bonds !== undefined) writeFileSync(this.bonds, files.bonds);
    if (files.wallets !== undefined) writeFileSync(this.wallets, files.wallets);
  }

  config(options: Partial<Record<KeyName, string>> = {}): Config {
    const set = new Map(Object.entries({ "storage.data-dir": this.path, ...options }) as [KeyName, string][]);
    return readConfig({ home: this.path, options: set, environment: {} }).config;
  }

  read(options: Partial<Record<KeyName, string>> = {}, whenMissing: "make" | "refuse" = "make") {
    return readGenesisParameters(this.config(options), whenMissing, (line) => this.lines.push(line)).parameters;
  }

  /** Why the files are refused, without the folder's name. */
  refusal(options: Partial<Record<KeyName, string>> = {}): string {
    try {
      this.read(options);
    } catch (error) {
      return error instanceof Error ? error.message.replaceAll(this.path, "") : String(error);
    }
    return "";
  }

  texts(): string[] {
    return this.lines.map(({ level, text }) => `${level}: ${text.replaceAll(this.path, "")}`);
  }
}

describe("the bonds file", () => {
  const bondsOf = (text: string) =>
    new Folder({ bonds: text }).read().bonds.map(({ validator, stake }) => `${toHex(validator).slice(0, 8)} ${stake}`);
  const shown = (key: string, stake: number) => `${key.slice(0, 8)} ${stake}`;

  test("names a validator in each line", () => {
    const folder = new Folder({ bonds: `${one} 10\n\n  \t\n${two.toUpperCase()} 20\r\n` });
    const { bonds } = folder.read();
    expect(bonds).toEqual([
      { validator: fromHex(one), stake: 10n },
      { validator: fromHex(two), stake: 20n },
    ]);
    expect(folder.texts()).toEqual([
      "info: Parsing bonds file /genesis/bonds.txt.",
      `info: Bond loaded ${one} => 10`,
      `info: Bond loaded ${two} => 20`,
      "warn: WALLETS FILE NOT FOUND: /genesis/wallets.txt. No vaults will be put in genesis block.",
    ]);
  });

  test("may have anything after the digits, and the last line of a key counts", () => {
    expect(bondsOf(`${one} 10 comment\n${two} 5x\n${one} 0030`)).toEqual([shown(one, 30), shown(two, 5)]);
    expect(bondsOf(`${one} 9223372036854775807`)).toEqual([`${one.slice(0, 8)} 9223372036854775807`]);
  });

  test("with a malformed line is refused in rnode's words, with the line's number", () => {
    const refusal = (line: string) => new Folder({ bonds: `${one} 1\n\n${line}\n` }).refusal();
    const start = "FAILED PARSING BONDS FILE: /genesis/bonds.txt\njava.lang.Exception: ";
    for (const line of [`${two}  20`, ` ${two} 20`, `${two},20`, `${two} -20`, `0x${two} 20`, "# comment", two]) {
      expect(refusal(line)).toBe(
        `${start}INVALID LINE FORMAT: \`<public_key> <stake>\`, actual: \`${line}\`\` (line 3)`,
      );
    }
    expect(refusal(`${two} 9223372036854775808`)).toBe(
      `${start}INVALID STAKE \`9223372036854775808\`. Please put positive number. (line 3)`,
    );
    expect(refusal(`abc 20`)).toMatch(/^\/genesis\/bonds.txt, line 3: the public key 0abc has 2 bytes; .* has 65/);
    expect(refusal(`${"9".repeat(100_000)}g 20`).length).toBeLessThan(2000);
  });

  test("that cannot be read, or is empty, is refused with its name", () => {
    expect(new Folder({ bonds: "\n \n" }).refusal()).toMatch(/^\/genesis\/bonds.txt names no validator/);
    const folder = new Folder({ wallets: "" });
    mkdirSync(folder.bonds);
    expect(folder.refusal()).toBe("/genesis/bonds.txt cannot be read: it is not a file");
  });
});

describe("where there is no bonds file", () => {
  test("validators are made, with keys that only their owner can read, and are there the next time", () => {
    const folder = new Folder();
    const options = { "casper.genesis-ceremony.autogen-shard-size": "3" };
    const { bonds } = folder.read(options);
    expect(bonds.map(({ stake }) => stake)).toEqual([1n, 2n, 3n]);
    for (const { validator } of bonds) {
      const path = join(folder.path, "genesis", `${toHex(validator)}.sk`);
      expect(toHex(secp256k1PublicKeyOf(fromHex(readFileSync(path, "utf8"))))).toBe(toHex(validator));
      expect(statSync(path).mode & 0o777).toBe(0o600);
    }
    expect(readdirSync(join(folder.path, "genesis")).length).toBe(4);
    expect(folder.texts().slice(0, 2)).toEqual([
      "warn: BONDS FILE NOT FOUND: /genesis/bonds.txt. Creating file with random bonds.",
      `info: Bond generated ${toHex(bonds[0]!.validator)} => 1`,
    ]);
    expect(readFileSync(folder.bonds, "utf8").split("\n").at(-1)).toBe("");
    expect(folder.read(options).bonds).toEqual(bonds);
    // No private key is written.
    const secrets = readdirSync(join(folder.path, "genesis")).filter((name) => name.endsWith(".sk"));
    for (const name of secrets) {
      expect(folder.texts().join()).not.toContain(readFileSync(join(folder.path, "genesis", name), "utf8"));
    }
  });

  test("a genesis validator logs its role", () => {
    expect(() => new Folder().read({}, "refuse")).toThrow(/^BONDS FILE NOT FOUND: .*copy it there/);
  });

  test("a folder that cannot be written is refused", () => {
    const folder = new Folder({ wallets: "" });
    chmodSync(join(folder.path, "genesis"), 0o555);
    chmodSync(folder.path, 0o755);
    expect(asOrdinaryUser(() => folder.refusal())).toMatch(/cannot be written: EACCES/);
  });
});

describe("the wallets file", () => {
  const [first, second] = [addressOf(one), addressOf(two)];

  test("names a vault in each line; order and duplicates are kept", () => {
    const folder = new Folder({ bonds: `${one} 1\n`, wallets: `${second},5,ignored\n\n${first},7 x\r\n${second},5` });
    expect(folder.read().wallets).toEqual([
      { address: second, balance: 5n },
      { address: first, balance: 7n },
      { address: second, balance: 5n },
    ]);
    expect(folder.texts().slice(2, 4)).toEqual([
      "info: Parsing wallets file /genesis/wallets.txt.",
      `info: Wallet loaded: ${second},5,ignored`,
    ]);
  });

  test("with a malformed line is refused in rnode's words, with the line's number", () => {
    const refusal = (line: string) => new Folder({ bonds: `${one} 1\n`, wallets: `${first},1\n${line}\n` }).refusal();
    const start = "FAILED PARSING WALLETS FILE: /genesis/wallets.txt\njava.lang.Exception: ";
    for (const line of [`${first} 1`, `${first},`, ` ${first},1`, `${first}, 1`, `${first},-1`, `1110,1`]) {
      expect(refusal(line)).toBe(
        `${start}INVALID LINE FORMAT: \`<ASI_address>,<balance>\`, actual: \`${line}\` (line 2)`,
      );
    }
    const wrong = `${first.slice(0, -1)}${first.endsWith("1") ? "2" : "1"}`;
    const faults = {
      "1111lll": "Invalid Base58 encoding",
      "1111abc": "Invalid address length",
      [wrong]: "Invalid checksum",
    };
    for (const [address, fault] of Object.entries(faults)) {
      expect(refusal(`${address},1`)).toBe(
        `${start}PARSE ERROR: ${fault}, \`<ASI_address>,<balance>\`, actual: \`${address},1\` (line 2)`,
      );
    }
    expect(refusal(`${first},9223372036854775808`)).toBe(
      `${start}INVALID WALLET BALANCE \`9223372036854775808\`. Please put positive number. (line 2)`,
    );
  });
});

describe("the settings of genesis", () => {
  const bonds = `${one} 1\n${two} 2\n${three} 3\n`;
  const refusal = (options: Partial<Record<KeyName, string>>) => new Folder({ bonds }).refusal(options);
  const data = "casper.genesis-block-data";

  test("come from the configuration", () => {
    const options = {
      [`${data}.bond-minimum`]: "5",
      [`${data}.epoch-length`]: "10",
      "casper.shard-name": "mine",
      "casper.genesis-ceremony.required-signatures": "2",
    };
    expect(new Folder({ bonds }).read(options)).toMatchObject({
      ...{ shardId: "mine", minimumBond: 5n, maximumBond: 9223372036854775807n, epochLength: 10 },
      ...{ quarantineLength: 50000, numberOfActiveValidators: 100, posMultiSigQuorum: 2 },
      posMultiSigPublicKeys: { length: 3 },
    });
  });

  test("that make no network are refused with their names", () => {
    expect(refusal({ "casper.genesis-ceremony.required-signatures": "3" })).toBe(
      "Required sigs must be smaller than the number of bonded validators " +
        "(casper.genesis-ceremony.required-signatures is 3, /genesis/bonds.txt names 3)",
    );
    expect(refusal({ [`${data}.bond-minimum`]: "5", [`${data}.bond-maximum`]: "4" })).toBe(
      `${data}.bond-minimum (5) is greater than ${data}.bond-maximum (4)`,
    );
    const text = "Can't build the configuration: \n";
    expect(refusal({ [`${data}.epoch-length`]: "0" })).toBe(
      `${text}option --epoch-length: ${data}.epoch-length: must be from 1 to 2147483647, not 0`,
    );
    expect(refusal({ "casper.genesis-ceremony.autogen-shard-size": "5000" })).toBe(
      `${text}option --autogen-shard-size: casper.genesis-ceremony.autogen-shard-size: must be from 1 to 1000, not 5000`,
    );
  });

  test("an invalid key of the multi-signature is refused, and so is a quorum that cannot be reached", () => {
    const folder = new Folder({ bonds });
    const name = `${data}.pos-multi-sig-public-keys` as const;
    const read = (changes: Partial<Config>) => () =>
      readGenesisParameters({ ...folder.config(), ...changes }, "make", () => {});
    expect(read({ [name]: [one, "no key", two] })).toThrow(`${name}: "no key" is not a public key of 65 bytes`);
    expect(read({ [name]: [one] })).toThrow(
      `${data}.pos-multi-sig-quorum (2) is greater than the number of ${name} (1)`,
    );
  });
});
