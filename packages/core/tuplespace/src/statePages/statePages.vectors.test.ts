import { equalBytes, toHex } from "@vedette/crypto";
import { encodeStoreItems } from "@vedette/protocol";
import { describe, expect, test } from "vitest";
import { memoryStateStore } from "../history/memoryStateStore.js";
import { readRecordedState, recordedStateNames } from "../testing/recordedState.js";
import { exportItems, pageSize } from "./exportItems.js";
import { findMissing } from "./findMissing.js";
import { importItems } from "./importItems.js";
import { element } from "./path.js";

describe.each(recordedStateNames())("the recorded state %s", (name) => {
  const { root, pages } = readRecordedState(name);

  test("is checked page by page, complete after the last one, and exported again as the same pages", () => {
    const store = memoryStateStore();
    for (const [index, page] of pages.entries()) {
      const { nextPath, missingLeaf } = importItems(store, { startPath: page.startPath, take: pageSize }, page);
      expect(missingLeaf).toBeUndefined();
      if (nextPath !== undefined) {
        expect(page.lastPath.slice(0, 6)).toEqual(nextPath);
        expect(pages[index + 1]!.startPath.slice(0, 6)).toEqual(nextPath);
      }
    }
    expect(pages[0]!.startPath.map(({ hash }) => toHex(hash))).toEqual([toHex(root)]);
    expect(findMissing(store, root).nodes).toEqual([]);
    for (const page of pages) {
      const again = exportItems(store, page.startPath, { skip: 0, take: pageSize })!;
      expect(equalBytes(encodeStoreItems(again), encodeStoreItems(page))).toBe(true);
    }
  });

  test("is copied with any page size, leaves that quirk 6.7.1 loses being asked for at the end", () => {
    const source = memoryStateStore();
    for (const { historyItems, dataItems } of pages) source.putItems(historyItems, dataItems);
    for (const take of [1, 2, 50, 64]) {
      const target = memoryStateStore();
      const start = [element(root)];
      for (let path: readonly (typeof start)[number][] | undefined = start; path !== undefined; ) {
        const page = exportItems(source, path, { skip: 0, take });
        if (page === undefined) break;
        path = importItems(target, { startPath: path, take }, page).nextPath;
      }
      for (const hash of findMissing(target, root).nodes) {
        const startPath = [element(hash)];
        importItems(
          target,
          { startPath, take: pageSize },
          exportItems(source, startPath, { skip: 0, take: pageSize })!,
        );
      }
      expect(findMissing(target, root).nodes).toEqual([]);
    }
  });
});
