import { tmpdir } from "node:os";
import { SeededNumbers } from "@vedette/devtools/seededNumbers";
import { contentOfImage, diskImage, type ImageContent } from "@vedette/store/testing";
import fc from "fast-check";
import { propertyTarget } from "../driver/propertyTarget.js";
import { must } from "../driver/Target.js";

const numbers = new SeededNumbers(1);
const { bytes: whole, written } = await diskImage(tmpdir(), () => numbers.share());
const right = contentOfImage(whole);

/** Bytes that are changed; heads of the file and of its first pages more often than chance has it. */
const anyPlace = fc.oneof(
  { arbitrary: fc.nat({ max: whole.length - 1 }), weight: 3 },
  {
    arbitrary: fc
      .tuple(fc.nat({ max: whole.length / 4_096 - 1 }), fc.nat({ max: 63 }))
      .map(([page, at]) => page * 4_096 + at),
    weight: 2,
  },
  { arbitrary: fc.nat({ max: 4_096 + 168 }), weight: 1 },
);
const anyChanges = fc.array(fc.tuple(anyPlace, fc.integer({ min: 1, max: 255 })), { minLength: 1, maxLength: 24 });

export const diskImages = propertyTarget({
  name: "disk-images",
  about:
    "of a data file with changed bits each value that is returned is what was written, an earlier one only where damage is reported, and what is missing is reported",
  cost: "expensive",
  files: ["store/lmdb/pages/", "store/seal/"],
  values: anyChanges,
  check: (changes) => {
    const image = Buffer.from(whole);
    for (const [at, bits] of changes) image[at]! ^= bits;
    const { damages, entries } = contentOfImage(image);
    for (const [place, value] of entries)
      must(
        // The mark of the file has a sum of its own.
        place.startsWith("format ") ||
          right.entries.get(place) === value ||
          (mayBeOld(place, damages) && written.get(place)?.has(value) === true),
        `${place} is what was written`,
      );
    must(damages.length > 0 || entries.size === right.entries.size, "what is missing is reported");
  },
});

/** Whether damage of its table, or of all, was reported: then what an earlier transaction left may be returned. */
function mayBeOld(place: string, damages: ImageContent["damages"]): boolean {
  return damages.some(({ table, key }) => key === undefined && (table === undefined || place.startsWith(`${table} `)));
}
