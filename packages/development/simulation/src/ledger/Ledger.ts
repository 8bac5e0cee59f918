import { toHex } from "@vedette/crypto";
import type { Bond, Deploy } from "@vedette/protocol";

/** The content of a ledger: accounts, cells, stakes; all texts, so that they can be leaves. */
export type Entries = ReadonlyMap<string, string>;

/** The result of a deploy. */
export interface DeployEffect {
  readonly cost: bigint;
  readonly failed: boolean;
  readonly systemDeployError: string;
}

/** The account that receives the payments for deploys, and the stakes of offenders. */
export const treasury = "treasury";
const fee = 1n;

/**
 * A ledger while it changes; a cheap replacement of contracts, with effects that can be lost, doubled or in conflict.
 */
export class Ledger {
  readonly entries: Map<string, string>;
  readonly changed = new Set<string>();

  constructor(entries: Entries) {
    this.entries = new Map(entries);
  }

  number(name: string): bigint {
    return BigInt(this.entries.get(name) ?? "0");
  }

  /** The program of a deploy, paid for by its deployer; what fails leaves nothing but the payment. */
  execute({ deployer, signature, term }: Deploy): DeployEffect {
    const account = accountOf(deployer);
    if (this.number(account) < fee)
      return { cost: 0n, failed: false, systemDeployError: "Deploy payment failed: Insufficient funds" };
    this.#move(account, treasury, fee);
    const failed = !this.#run(toHex(deployer), term.split(" "));
    const ran = `ran ${toHex(deployer)}`;
    if (!failed) this.#set(ran, `${this.entries.get(ran) ?? ""} ${effectName(signature)}`);
    return { cost: fee, failed, systemDeployError: "" };
  }

  /** @returns whether there was such a validator */
  slash(validator: Uint8Array): void {
    const bond = `bond ${toHex(validator)}`;
    this.#move(bond, treasury, this.number(bond));
  }

  /** At the end of an epoch, leaving validators get their stake back, and new validators become active. */
  closeBlock(blockNumber: bigint, blocksInEpoch: bigint): void {
    if (blockNumber % blocksInEpoch !== 0n) return;
    const active: string[] = [];
    for (const [name, value] of [...this.entries]) {
      const [kind, validator] = name.split(" ");
      if (kind !== "bond" || validator === undefined) continue;
      if (this.entries.has(`leaving ${validator}`)) {
        this.#move(name, `account ${validator}`, BigInt(value));
        this.#set(name, undefined);
        this.#set(`leaving ${validator}`, undefined);
      } else if (BigInt(value) > 0n) active.push(validator);
    }
    this.#set("active", active.sort().join(" "));
  }

  #run(deployer: string, [verb, subject = "", amount = "0"]: readonly string[]): boolean {
    const account = `account ${deployer}`;
    switch (verb) {
      case "transfer":
        return this.#move(account, `account ${subject}`, BigInt(amount));
      case "put":
        return this.#move(account, `cell ${subject}`, BigInt(amount));
      case "take":
        return this.#move(`cell ${subject}`, account, BigInt(amount));
      case "call":
        this.#set(`contract ${subject}`, String(this.number(`contract ${subject}`) + 1n));
        return true;
      case "bond":
        if (this.entries.has(`bond ${deployer}`)) return false;
        return this.#move(account, `bond ${deployer}`, BigInt(subject));
      case "unbond":
        if (this.number(`bond ${deployer}`) === 0n) return false;
        this.#set(`leaving ${deployer}`, "yes");
        return true;
      default:
        return false;
    }
  }

  #move(from: string, to: string, amount: bigint): boolean {
    const before = this.number(from);
    if (before < amount || amount < 0n) return false;
    this.#set(from, String(before - amount));
    this.#set(to, String(this.number(to) + amount));
    return true;
  }

  #set(name: string, value: string | undefined): void {
    if (value === undefined) this.entries.delete(name);
    else this.entries.set(name, value);
    this.changed.add(name);
  }
}

export function accountOf(publicKey: Uint8Array): string {
  return `account ${toHex(publicKey)}`;
}

/** The stakes, in the order of the keys. */
export function bondsOf(entries: Entries): Bond[] {
  const bonds: Bond[] = [];
  for (const [name, value] of entries)
    if (name.startsWith("bond "))
      bonds.push({ validator: Uint8Array.from(Buffer.from(name.slice(5), "hex")), stake: BigInt(value) });
  return bonds.sort((one, other) => Buffer.compare(one.validator, other.validator));
}

export function activeOf(entries: Entries): Uint8Array[] {
  const text = entries.get("active") ?? "";
  return text === "" ? [] : text.split(" ").map((hex) => Uint8Array.from(Buffer.from(hex, "hex")));
}

/** By which a ledger names a deploy that took effect. @param signature the deploy's id */
export function effectName(signature: Uint8Array): string {
  return toHex(signature.subarray(-8));
}

/** The deploys that took effect, each as often as it did. */
export function effectsIn(entries: Entries): string[] {
  return [...entries].flatMap(([name, value]) => (name.startsWith("ran ") ? value.trim().split(" ") : []));
}

/** All that there is; no deploy makes it more or less. */
export function totalOf(entries: Entries): bigint {
  let total = 0n;
  for (const [name, value] of entries) if (/^(account|cell|bond|treasury)\b/.test(name)) total += BigInt(value);
  return total;
}
