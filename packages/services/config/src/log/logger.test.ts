import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Area, type Level, linesOf } from "./Line.js";
import { areLogLevels, LogLevels } from "./LogLevels.js";
import { createLog } from "./logger.js";

function startLog(levels: LogLevels, isTTY: boolean) {
  const written: string[] = [];
  const counted: Level[] = [];
  const stream = { isTTY, write: (text: string) => written.push(text) };
  return { log: createLog(stream, levels, (level) => counted.push(level)), written, counted };
}

describe("a line of the log", () => {
  const hostile = "x\n12:00:00.000 [ERROR] forged\r\u001b[2J\u0085\u2028\u202eback\u0000\ttab";

  test("is human on a terminal, without anything that drives it", () => {
    const { log, written } = startLog(new LogLevels("info"), true);
    log(linesOf("sync").warn(`Error from peer: ${hostile}`));
    expect(written).toHaveLength(1);
    expect(written[0]).toMatch(/^\d\d:\d\d:\d\d\.\d{3} \[WARN\] /);
    expect(written[0]!.slice(20)).toBe(
      "Error from peer: x\\n12:00:00.000 [ERROR] forged\\r\\u001b[2J\\u0085\\u2028\\u202eback\\u0000\\ttab\n",
    );
  });

  test("is one JSON value elsewhere, with the text as it was", () => {
    const { log, written } = startLog(new LogLevels("info"), false);
    log(linesOf("network").info(hostile));
    expect(written).toHaveLength(1);
    expect(written[0]!.split("\n")).toHaveLength(2);
    expect(JSON.parse(written[0]!)).toEqual({
      level: "info",
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      area: "network",
      msg: hostile,
    });
  });

  test("has nothing in JSON that a terminal or an eye would take for something else", () => {
    const { log, written } = startLog(new LogLevels("info"), false);
    const text = "a\u009b2J\u202eb\u2066c\u2028d\u061ce\ufefff\u{e0041}g\u007f";
    log(linesOf("network").info(text));
    expect(written[0]).toMatch(/^[\x20-\x7e]+\n$/);
    expect(JSON.parse(written[0]!)).toMatchObject({ msg: text });
  });

  test("is human in systemd's journal, with a priority and without a time", () => {
    const written: string[] = [];
    const log = createLog({ isJournal: true, write: (text) => written.push(text) }, new LogLevels("debug"));
    for (const level of ["debug", "info", "warn", "error"] as const) log(linesOf("sync")[level](`a\n<0>b ${level}`));
    expect(written).toEqual([
      "<7>[DEBUG] a\\n<0>b debug\n",
      "<6>[INFO] a\\n<0>b info\n",
      "<4>[WARN] a\\n<0>b warn\n",
      "<3>[ERROR] a\\n<0>b error\n",
    ]);
  });

  test.each([true, false])("is one line for any content (terminal: %s)", (isTTY) => {
    const anyCode = fc.oneof(fc.nat(0x9f), fc.constantFrom(0x2028, 0x2029), fc.nat(0xd7ff), fc.constant(0x1f600));
    const unit = anyCode.map((code) => String.fromCodePoint(code));
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 60 }), (text) => {
        const { log, written } = startLog(new LogLevels("debug"), isTTY);
        log(linesOf("api").error(text));
        const ends = written.join("").match(isTTY ? /[\p{Cc}\u2028\u2029]/gu : /[\n\r]/g);
        expect(ends).toEqual(["\n"]);
      }),
    );
  });

  test("is cut where a stranger made it long; lines of one event stay together", () => {
    const { log, written, counted } = startLog(new LogLevels("info"), true);
    log(linesOf("chain").info("x".repeat(100_000), "second"));
    expect(written[0]!.length).toBeLessThan(17_000);
    expect(written[0]).toMatch(/… \(100000 characters\)\n$/);
    expect(written[1]).toMatch(/ \[INFO\] second\n$/);
    expect(counted).toEqual(["info"]);
  });
});

describe("levels", () => {
  const enabledLevels = (levels: LogLevels, area: Area) =>
    (["debug", "info", "warn", "error"] as const).filter((level) => levels.isEnabled({ level, area }));

  test("are those of the area, else the common one", () => {
    const levels = new LogLevels("warn, sync=debug,network = error");
    expect(enabledLevels(levels, "chain")).toEqual(["warn", "error"]);
    expect(enabledLevels(levels, "sync")).toEqual(["debug", "info", "warn", "error"]);
    expect(enabledLevels(levels, "network")).toEqual(["error"]);
    expect(enabledLevels(new LogLevels("propose=debug"), "api")).toEqual(["info", "warn", "error"]);
  });

  test("can be changed, and everything be printed for a while", () => {
    const levels = new LogLevels("error");
    expect(levels.toggleDebug()).toBe(true);
    expect(enabledLevels(levels, "api")).toHaveLength(4);
    expect(levels.toggleDebug()).toBe(false);
    expect(enabledLevels(levels, "api")).toEqual(["error"]);
    levels.toggleDebug();
    levels.change("info");
    expect(enabledLevels(levels, "api")).toEqual(["info", "warn", "error"]);
  });

  test.each([
    "",
    "verbose",
    "info,warn",
    "sync",
    "sync=",
    "sync=loud",
    "everything=info",
    "info,,",
    "sync=debug=info",
    "sync=debug,info",
    "__proto__=info",
    "constructor",
  ])("%j is no choice", (text) => {
    expect(areLogLevels(text)).toBe(false);
    expect(() => new LogLevels(text)).toThrow(RangeError);
  });
});
