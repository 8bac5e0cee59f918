import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readCheckpointFile } from "./readCheckpointFile.js";
import { checkpointPath, releasedCheckpoints } from "./releasedCheckpoints.js";

test("a checkpoint is given by its path, or by the name of a network that the release knows", () => {
  const folder = mkdtempSync(join(tmpdir(), "vedette-checkpoints-"));
  try {
    for (const name of ["north.json", "east.json", "README.md"]) writeFileSync(join(folder, name), "{}");
    expect([...releasedCheckpoints(folder).keys()]).toEqual(["east", "north"]);
    expect(checkpointPath("north", folder)).toBe(join(folder, "north.json"));
    expect(checkpointPath(join(folder, "east.json"), folder)).toBe(join(folder, "east.json"));
    // The file system then names what is not there.
    expect(checkpointPath("west", folder)).toBe("west");
    expect(releasedCheckpoints(join(folder, "none")).size).toBe(0);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("what is neither a file nor such a network is refused by name", () => {
  expect(() => readCheckpointFile("no-such-network")).toThrow(
    /no-such-network\nthere is no such file, and no such network of this release \(/,
  );
});
