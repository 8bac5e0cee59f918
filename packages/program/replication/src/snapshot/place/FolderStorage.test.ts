import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe } from "vitest";
import { testPlace } from "../testing/placeContract.js";
import { FolderStorage } from "./FolderStorage.js";

const folder = mkdtempSync(join(tmpdir(), "vedette-place-"));
afterAll(() => rmSync(folder, { recursive: true }));

describe("a folder", () => testPlace(() => new FolderStorage(join(folder, "snapshots"))));
