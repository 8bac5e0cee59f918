import { test } from "vitest";
import { expectSameStakes } from "../testing/sameStakes.js";

test("whatever happens, rnode's contract shows the same", () => expectSameStakes(4, 16));
