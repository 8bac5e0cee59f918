import { addressOfKey, deployKeyOf } from "@vedette/client";
import { expect, test } from "vitest";
import { KeyStore, type TextStore } from "./KeyStore.js";

const privateKey = "01".repeat(32);
const password = "correct horse";

class Texts implements TextStore {
  readonly texts = new Map<string, string>();
  isFull = false;
  getItem = (name: string) => this.texts.get(name) ?? null;
  setItem = (name: string, text: string) => {
    if (this.isFull) throw new Error("QuotaExceededError");
    this.texts.set(name, text);
  };
}

/** Few rounds, so that the test does not take as long as a guess is meant to. */
const cheap = (texts: TextStore) => new KeyStore(texts, 1_000);

test("a key is opened by its password and by no other", async () => {
  const texts = new Texts();
  const kept = await cheap(texts).add("mine", privateKey, password);
  expect(kept.address).toBe(addressOfKey(deployKeyOf(privateKey)));
  const again = cheap(texts).list();
  expect(again).toEqual([kept]);
  expect(await cheap(texts).open(again[0]!, password)).toBe(privateKey);
  await expect(cheap(texts).open(kept, "correct house")).rejects.toThrow("The password is another one");
});

test("nothing that is kept has the key in it", async () => {
  const texts = new Texts();
  await cheap(texts).add("mine", privateKey, password);
  const text = [...texts.texts.values()].join();
  expect(text).not.toContain("0101");
  expect(text).not.toContain(password);
});

test("the same key and password are sealed differently each time", async () => {
  const [one, other] = [new Texts(), new Texts()];
  const first = await cheap(one).add("a", privateKey, password);
  const second = await cheap(other).add("a", privateKey, password);
  expect(first.sealed).not.toBe(second.sealed);
});

test("what was changed on the disk is refused, and what is no key is left out", async () => {
  const texts = new Texts();
  const store = cheap(texts);
  const kept = await store.add("mine", privateKey, password);
  const changed = { ...kept, sealed: `00${kept.sealed.slice(2)}` };
  await expect(store.open(changed, password)).rejects.toThrow("damaged");
  for (const text of ["{", "7", '{"a":1}', '[null, 3, {"name": "x"}]', JSON.stringify([{ ...kept, rounds: 1e12 }])]) {
    texts.setItem("vedette-keys", text);
    expect(store.list()).toEqual([]);
  }
});

test("a short password, something that is no key, and a browser that keeps nothing are reported", async () => {
  const texts = new Texts();
  await expect(cheap(texts).add("a", privateKey, "short")).rejects.toThrow("at least 8 characters");
  await expect(cheap(texts).add("a", "00".repeat(32), password)).rejects.toThrow();
  await expect(cheap(texts).add("a", "xyz", password)).rejects.toThrow();
  texts.isFull = true;
  await expect(cheap(texts).add("a", privateKey, password)).rejects.toThrow("keeps nothing");
});

test("a key that is forgotten is gone, the others stay", async () => {
  const texts = new Texts();
  const store = cheap(texts);
  const first = await store.add("a", privateKey, password);
  const second = await store.add("b", "02".repeat(32), password);
  store.remove(first.address);
  expect(store.list()).toEqual([second]);
});
