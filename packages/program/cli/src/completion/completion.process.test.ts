import { spawnSync } from "node:child_process";
import { describe, test } from "vitest";
import { expectOffers } from "../testing/shellOffers.js";

describe.each(["zsh", "fish"] as const)("completion in %s", (shell) => {
  const isThere = spawnSync(shell, ["--version"]).status === 0;

  test.runIf(isThere)("offers commands, those below them, options, and values that can be chosen", () => {
    expectOffers(shell);
  });
});
