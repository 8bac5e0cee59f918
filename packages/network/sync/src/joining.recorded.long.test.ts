import { describe } from "vitest";
import { joiningTests } from "./testing/joiningTests.js";

describe("on long recorded chains", () => {
  joiningTests({ tips: ["solo", "trio"], killed: ["solo"], others: ["trio"] });
});
