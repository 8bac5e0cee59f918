import { chainsThatAreThere } from "@vedette/testing";
import { test } from "vitest";
import { checkBothBeginnings } from "./checkBothBeginnings.js";

// All recorded chains are followed in observer.long.test.ts.
test.each(chainsThatAreThere("equivocation-v1").slice(0, 1))(
  "an observer reaches the tip of a process that serves the chain %s, in both ways of beginning",
  async (chain) => {
    await checkBothBeginnings(chain);
  },
);
