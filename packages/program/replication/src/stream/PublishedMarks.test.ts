import { describe, expect, test } from "vitest";
import { PublishedMarks } from "./PublishedMarks.js";

const keptMs = 64_000;

describe("marks of what is in a stream", () => {
  test("are made now and then, and are missed where a message is gone that is not too old", () => {
    const marks = new PublishedMarks();
    for (let atMs = 0; atMs < 10_000; atMs += 250)
      if (marks.isDue({ keptMs }, atMs)) marks.add({ entry: atMs, sequence: 100 + atMs, atMs });
    expect(marks.all.map(({ atMs }) => atMs)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((second) => second * 1_000));
    expect(marks.areMissedIn({ first: 100, keptMs }, 10_000)).toBe(false);
    expect(marks.areMissedIn({ first: 101, keptMs }, 10_000)).toBe(true);
  });

  test("are forgotten where they are too old for the stream", () => {
    const marks = new PublishedMarks([
      { entry: 1, sequence: 1, atMs: 0 },
      { entry: 5, sequence: 9, atMs: 30_000 },
    ]);
    expect(marks.areMissedIn({ first: 9, keptMs }, keptMs)).toBe(false);
    expect(marks.all).toHaveLength(1);
    expect(marks.areMissedIn({ first: 10, keptMs }, keptMs)).toBe(true);
  });

  test("stay few in a stream that keeps all, and the oldest of them stays", () => {
    const marks = new PublishedMarks();
    for (let hour = 0; hour < 2_000; hour += 1)
      if (marks.isDue({ keptMs: Number.POSITIVE_INFINITY }, hour * 3_600_000))
        marks.add({ entry: hour, sequence: hour + 1, atMs: hour * 3_600_000 });
    expect(marks.all.length).toBeLessThan(300);
    expect(marks.all[0]).toMatchObject({ entry: 0 });
    expect(marks.areMissedIn({ first: 2, keptMs: Number.POSITIVE_INFINITY }, 2_000 * 3_600_000)).toBe(true);
  });
});
