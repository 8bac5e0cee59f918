import { Command, Option } from "commander";
import { expect, test } from "vitest";
import { addRenamedOption, dialectOption, eventKindOption } from "./sharedOptions.js";
import { vedetteProgram } from "./vedetteProgram.js";

/** Command, option, and its name in earlier versions. */
const renamed = [
  ["network", "--block-interval", "--rhythm"],
  ["network", "--reset", "--fresh"],
  ["network", "--files-only", "--prepare"],
  ["network", "--equivocation-rule", "--judge-by"],
  ["network", "--synchrony-threshold", "--synchrony"],
  ["fleet", "--block-interval", "--rhythm"],
  ["deploy", "--additional-node", "--also"],
  ["test", "--cost-baseline", "--snapshot"],
  ["sql", "--max-rows", "--rows"],
  ["top", "--interval", "--every"],
  ["verify-history", "--task-size", "--heights"],
  ["verify-history", "--restart", "--again"],
  ["replica", "--created-by", "--maker"],
  ["snapshot create", "--location", "--place"],
  ["snapshot create", "--interval", "--every"],
  ["snapshot restore", "--created-by", "--maker"],
  ["snapshot prune", "--location", "--place"],
  ["sink webhook", "--concurrency", "--at-once"],
  ["api-key create", "--request-burst", "--requests-at-once"],
] as const;

test.each(renamed)("vedette %s has %s, and accepts %s without showing it", (path, name, earlier) => {
  let command = vedetteProgram();
  for (const word of path.split(" ")) command = command.commands.find((one) => one.name() === word)!;
  const [shown, hidden] = [name, earlier].map((long) => command.options.find((option) => option.long === long)!);
  expect(hidden!.attributeName()).toBe(shown!.attributeName());
  expect([shown!.hidden, hidden!.hidden]).toEqual([false, true]);
  expect(hidden!.parseArg).toBe(shown!.parseArg);
  expect(command.helpInformation()).not.toMatch(new RegExp(`${earlier}(?![\\w-])`));
});

test("both names of an option give the same value", () => {
  const parsed = (...args: string[]): unknown => {
    const command = new Command().exitOverride();
    addRenamedOption(command, new Option("--new <n>").argParser(Number).default(1), "--old <n>");
    command.parse(args, { from: "user" });
    return command.opts()["new"];
  };
  expect([parsed(), parsed("--new", "2"), parsed("--old=3")]).toEqual([1, 2, 3]);
});

test("a dialect may be given by its name in earlier versions", () => {
  const dialectOf = (name: string): unknown => {
    const command = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
    command.addOption(dialectOption("dialect")).parse(["--dialect", name], { from: "user" });
    return command.opts()["dialect"];
  };
  expect(["rnode", "rnode-scala", "f1r3node", "rnode-rust"].map(dialectOf)).toEqual([
    ...["rnode", "rnode", "f1r3node", "f1r3node"],
  ]);
  expect(() => dialectOf("scala")).toThrow("Allowed choices are rnode, f1r3node");
});

test("kinds of events may be given by their names in earlier versions", () => {
  const kindsOf = (...args: readonly string[]): unknown => {
    const command = new Command().exitOverride().configureOutput({ writeErr: () => undefined });
    return command.addOption(eventKindOption()).parse(args, { from: "user" }).opts()["kind"];
  };
  const given = ["chainBegun", "blockForkedAway", "deployPrinted", "transfer"];
  expect(kindsOf(...given.map((name) => `--kind=${name}`))).toEqual([
    ...["chainStarted", "blockOrphaned", "deployOutput", "transfer"],
  ]);
  expect(() => kindsOf("--kind=blockLost")).toThrow("It must be one of chainStarted, ");
  const commands = [["events"], ["sink", "webhook"], ["sink", "nats"], ["sink", "kafka"]].map((path) =>
    path.reduce((at, word) => at.commands.find((one) => one.name() === word)!, vedetteProgram() as Command),
  );
  for (const command of commands) {
    const { parseArg } = command.options.find(({ long }) => long === "--kind")!;
    expect(parseArg!("blockForkedAway", undefined as never)).toEqual(["blockOrphaned"]);
  }
});
