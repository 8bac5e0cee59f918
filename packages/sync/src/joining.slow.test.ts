import { chainsDirectory } from "@vedette/testing";
import { describe } from "vitest";
import { joiningTests } from "./testing/joiningTests.js";

describe.skipIf(chainsDirectory() === undefined)("on long recorded chains", () => {
  joiningTests({ tips: ["solo", "trio"], killed: ["solo"], others: ["trio"] });
});
