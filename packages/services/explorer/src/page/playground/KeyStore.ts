import { addressOfKey, deployKeyOf, fromHex, toHex } from "@vedette/client";

/** A key as it is kept: encrypted, and with its address in the open. */
export interface KeptKey {
  readonly name: string;
  readonly address: string;
  readonly rounds: number;
  readonly salt: string;
  readonly nonce: string;
  readonly sealed: string;
}

/** Where texts are kept: the browser's own store. */
export type TextStore = Pick<Storage, "getItem" | "setItem">;

const storeName = "vedette-keys";
/** Rounds of PBKDF2 with SHA-256, which each guess of a password costs. */
const rounds = 600_000;
const maxKeys = 50;
const shortestPassword = 8;

/**
 * The keys that are kept in this browser, each encrypted with a password (PBKDF2, AES-256-GCM). They never leave it:
 * the node receives signatures only.
 */
export class KeyStore {
  readonly #store: TextStore;
  readonly #rounds: number;

  constructor(store: TextStore, cost = rounds) {
    this.#store = store;
    this.#rounds = cost;
  }

  /** Returns the kept keys; damaged or foreign entries are left out. */
  list(): KeptKey[] {
    try {
      const kept: unknown = JSON.parse(this.#store.getItem(storeName) ?? "[]");
      return Array.isArray(kept) ? kept.filter(isKeptKey).slice(0, maxKeys) : [];
    } catch {
      return [];
    }
  }

  /** Seals a private key of 64 hexadecimal digits and keeps it. @throws {DeployError}; where it cannot be kept */
  async add(name: string, privateKey: string, password: string): Promise<KeptKey> {
    const address = addressOfKey(deployKeyOf(privateKey));
    if (password.length < shortestPassword) throw new Error(`A password has at least ${shortestPassword} characters`);
    const others = this.list().filter((one) => one.address !== address);
    if (others.length >= maxKeys) throw new Error(`More than ${maxKeys} keys are not kept here; forget one first`);
    const [salt, nonce] = [crypto.getRandomValues(new Uint8Array(16)), crypto.getRandomValues(new Uint8Array(12))];
    const key = await sealingKey(password, salt, this.#rounds);
    const plain = new Uint8Array(fromHex(privateKey));
    const sealed = await crypto.subtle.encrypt({ name: "AES-GCM", iv: nonce }, key, plain);
    plain.fill(0);
    const kept: KeptKey = {
      ...{ name: name.trim().slice(0, 60) || "My key", address, rounds: this.#rounds },
      ...{ salt: toHex(salt), nonce: toHex(nonce), sealed: toHex(new Uint8Array(sealed)) },
    };
    this.#write([...others, kept]);
    return kept;
  }

  /** The private key, in hexadecimal digits. @throws where the password is another */
  async open({ salt, nonce, sealed, rounds: cost }: KeptKey, password: string): Promise<string> {
    const key = await sealingKey(password, fromHex(salt), cost);
    try {
      const plain = await crypto.subtle.decrypt(
        { name: "AES-GCM", iv: new Uint8Array(fromHex(nonce)) },
        key,
        new Uint8Array(fromHex(sealed)),
      );
      return toHex(new Uint8Array(plain));
    } catch (cause) {
      throw new Error("The password is another one, or what is kept has been damaged", { cause });
    }
  }

  /** Forgets a key for ever. */
  remove(address: string): void {
    this.#write(this.list().filter((one) => one.address !== address));
  }

  #write(keys: readonly KeptKey[]): void {
    try {
      this.#store.setItem(storeName, JSON.stringify(keys));
    } catch (cause) {
      throw new Error("This browser keeps nothing for this page; the key is there until it is closed", {
        cause,
      });
    }
  }
}

/** Whether this page may use the browser's cryptography: only pages from a secure origin may. */
export function canSeal(): boolean {
  return globalThis.crypto?.subtle !== undefined;
}

/** Most rounds that are accepted, so that a damaged number does not stop the page for hours. */
const maxRounds = 10_000_000;

function isKeptKey(one: unknown): one is KeptKey {
  const { name, address, salt, nonce, sealed, rounds: cost } = (one ?? {}) as Partial<KeptKey>;
  const areTexts = [name, address].every((text) => typeof text === "string");
  const areHex = [salt, nonce, sealed].every((text) => typeof text === "string" && /^([0-9a-f]{2})+$/.test(text));
  return areTexts && areHex && Number.isInteger(cost) && cost! > 0 && cost! <= maxRounds;
}

async function sealingKey(password: string, salt: Uint8Array, cost: number): Promise<CryptoKey> {
  if (!canSeal())
    throw new Error("This page did not come over HTTPS or from this machine: browsers seal no keys there");
  const material = await crypto.subtle.importKey("raw", new TextEncoder().encode(password), "PBKDF2", false, [
    "deriveKey",
  ]);
  const from = { name: "PBKDF2", hash: "SHA-256", salt: new Uint8Array(salt), iterations: cost };
  return crypto.subtle.deriveKey(from, material, { name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
}
