import { expect, test } from "vitest";
import { isExplorerPage } from "./pages.js";

test("the explorer's pages are its own, and nothing else is", () => {
  for (const path of ["/", "/explorer/blocks", "/explorer/block/00ff", "/explorer/deploy/ab/"])
    expect([path, isExplorerPage(path)]).toEqual([path, true]);
  for (const path of [
    "/block/00ff",
    "/blocks",
    "/explorer",
    "/explorer/block",
    "/explorer/none",
    "/explorer/block/a/b",
    "/v2",
    "/docs",
    "//",
  ])
    expect([path, isExplorerPage(path)]).toEqual([path, false]);
});
