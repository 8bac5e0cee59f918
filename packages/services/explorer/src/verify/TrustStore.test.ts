import { expect, test } from "vitest";
import { TrustStore } from "./TrustStore.js";

const checkpoint = {
  ...({ format: "vedette-checkpoint/1", dialect: "rnode", shardId: "root", thresholdPpm: 0 } as const),
  ...{ blockHash: "ab".repeat(32), blockNumber: 0, timestamp: 7 },
};

function browser(kept?: string) {
  const texts = new Map(kept === undefined ? [] : [["vedette-trust", kept]]);
  const store = {
    getItem: (name: string) => texts.get(name) ?? null,
    setItem: (name: string, text: string) => void texts.set(name, text),
  };
  return { texts, store };
}

test("what a browser trusts stays in it, with the newest verified block, until trust begins anew", () => {
  const { store } = browser();
  const newest = { ...checkpoint, blockNumber: 5 };
  new TrustStore(store).write({ checkpoint, origin: "entered", since: 3, newest });
  expect(new TrustStore(store).read()).toEqual({ checkpoint, origin: "entered", since: 3, newest });
  new TrustStore(store).begin({ checkpoint, origin: "firstUse", since: 4 });
  expect(new TrustStore(store).read()).toEqual({ checkpoint, origin: "firstUse", since: 4 });
});

test("what is kept and cannot be read is no trust; a browser that keeps nothing trusts until the page is closed", () => {
  for (const kept of ["{", "[]", '{"checkpoint":{}}', JSON.stringify({ checkpoint, newest: {} })])
    expect(new TrustStore(browser(kept).store).read()).toBeUndefined();
  const refusing = new TrustStore({
    getItem: () => null,
    setItem: () => {
      throw new Error("refused");
    },
  });
  expect(refusing.read()).toBeUndefined();
  refusing.begin({ checkpoint, origin: "firstUse", since: 4 });
  expect(refusing.read()).toMatchObject({ checkpoint, since: 4 });
});
