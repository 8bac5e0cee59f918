import { test } from "vitest";
import { expectSameStakes } from "../testing/sameStakes.js";

test.each([1, 4])("whatever happens, rnode's contract shows the same (seed %i)", (seed) => expectSameStakes(seed, 40));
