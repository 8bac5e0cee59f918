import { test } from "vitest";
import { expectOffers } from "../testing/shellOffers.js";

test("bash offers commands, those below them, options, and values that can be chosen", () => {
  expectOffers("bash");
});
