import { toHex } from "@vedette/crypto";
import { encodeEvent } from "@vedette/protocol";
import { runs } from "@vedette/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { memoryStateStore } from "../history/memoryStateStore.js";
import { emptyRoot } from "../history/updateTree.js";
import { anyOperations, numbered, run } from "../testing/operations.js";
import { simpleMatch } from "../testing/simpleMatch.js";
import { PlaySpace } from "./PlaySpace.js";

describe("going back to a soft checkpoint", () => {
  test("gives the state and the log of that moment, as often as one likes", () => {
    fc.assert(
      fc.property(fc.array(anyOperations(fc.boolean()), { minLength: 3, maxLength: 3 }), ([before, first, second]) => {
        const store = memoryStateStore();
        const space = new PlaySpace(store, simpleMatch, emptyRoot);
        const plain = new PlaySpace(store, simpleMatch, emptyRoot);
        run(space, numbered(before!, 0));
        const start = space.checkpoint().root;
        run(plain, numbered(before!, 0));
        plain.reset(start);

        // Whether earlier checkpoints were given up leaves no trace.
        if (first!.length % 2 === 0) space.settle();
        const fallback = space.softCheckpoint();
        run(space, numbered(first!, 1));
        space.softCheckpoint();
        run(space, numbered(first!, 2));
        space.revert(fallback);
        run(space, numbered(first!, 3));
        space.revert(fallback);
        run(space, numbered(second!, 4));
        const log = space.softCheckpoint().log;

        run(plain, numbered(second!, 4));
        const expected = plain.softCheckpoint().log;
        expect(log.map((event) => toHex(encodeEvent(event)))).toEqual(
          expected.map((event) => toHex(encodeEvent(event))),
        );
        expect(toHex(space.checkpoint().root)).toBe(toHex(plain.checkpoint().root));
      }),
      { numRuns: runs(40, 200) },
    );
  });

  test("is refused when the space has gone back before it", () => {
    const space = new PlaySpace(memoryStateStore(), simpleMatch, emptyRoot);
    const first = space.softCheckpoint();
    const second = space.softCheckpoint();
    space.revert(first);
    expect(() => space.revert(second)).toThrow("A soft checkpoint was reverted to after");
    space.settle();
    expect(() => space.revert(first)).toThrow();
  });
});
