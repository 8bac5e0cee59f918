import { expect, test } from "vitest";
import { PingStrikes } from "./PingStrikes.js";

const permitMs = 300_000;

/** A connection on which pings and settings are acknowledged as HTTP/2 does it. */
class Line {
  readonly strikes = new PingStrikes(permitMs);
  written = 0;
  nowMs = 1_000;

  ping(): boolean {
    const tooMany = this.strikes.pingCame(this.written, this.nowMs);
    this.written += 17;
    return tooMany;
  }

  settings(): void {
    this.strikes.settingsCame();
    this.written += 9;
  }
}

test("the third early ping is one too many", () => {
  const line = new Line();
  line.written = 50;
  expect([line.ping(), line.ping(), line.ping(), line.ping()]).toEqual([false, false, false, true]);
});

test("pings that are as far apart as permitted may go on forever", () => {
  const line = new Line();
  for (let pings = 0; pings < 100; pings += 1) {
    expect(line.ping()).toBe(false);
    line.nowMs += permitMs;
  }
});

test("an early ping does not put off the next that is permitted", () => {
  const line = new Line();
  const answers = Array.from({ length: 8 }, () => {
    const tooMany = line.ping();
    line.nowMs += permitMs - 1;
    return tooMany;
  });
  // Every second ping is a strike, since it is measured from the last permitted one.
  expect(answers).toEqual([false, false, false, false, false, true, false, true]);
});

test("a ping after every frame that was sent is never too many", () => {
  const line = new Line();
  for (let frames = 0; frames < 1_000; frames += 1) {
    line.written += 10;
    expect(line.ping()).toBe(false);
  }
});

test("pings start anew with what is sent between them", () => {
  const line = new Line();
  expect([line.ping(), line.ping(), line.ping()]).toEqual([false, false, false]);
  line.written += 14;
  expect([line.ping(), line.ping(), line.ping(), line.ping()]).toEqual([false, false, false, true]);
});

test("settings between pings do not hide them", () => {
  const line = new Line();
  const answers = Array.from({ length: 4 }, () => {
    line.settings();
    return line.ping();
  });
  expect(answers).toEqual([false, false, false, true]);
});

test("acknowledgements that are still unwritten are not taken for an answer later", () => {
  const line = new Line();
  expect(line.strikes.pingCame(0, 1_000)).toBe(false);
  expect(line.strikes.pingCame(0, 1_000)).toBe(false);
  expect(line.strikes.pingCame(34, 1_000)).toBe(false);
  expect(line.strikes.pingCame(51, 1_000)).toBe(true);
});
