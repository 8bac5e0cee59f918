import { type KeyName, keyNames, keyOf, longOptionOf } from "@vedette/config";
import { expect, test } from "vitest";
import { runOptionValues } from "./runOptions.js";
import { vedetteProgram } from "./vedetteProgram.js";

/** Parses these arguments as `vedette run` does. */
function understood(args: readonly string[]) {
  const program = vedetteProgram();
  let values = new Map<KeyName, string | boolean>();
  program.commands
    .find((one) => one.name() === "run")!
    .action((options) => {
      values = runOptionValues(options);
    });
  program.parse(["run", ...args], { from: "user" });
  return Object.fromEntries(values);
}

const flags = keyNames.filter((name) => {
  const { type, option, optionHasValue = false } = keyOf(name);
  return type === "flag" && option !== undefined && !optionHasValue;
});

test.each(flags.map((name) => [`--${longOptionOf(name)}`, name]))("%s sets %s, and nothing else", (option, name) => {
  expect(understood([option])).toEqual({ [name]: true });
});

test("an option that switches off overrides the one that switches on", () => {
  const heartbeat = "casper.heartbeat.enabled";
  expect(understood(["--heartbeat-disabled"])).toEqual({ [heartbeat]: false });
  expect(understood(["--heartbeat-disabled", "--heartbeat-enabled"])).toEqual({ [heartbeat]: false });
  expect(understood([])).toEqual({});
});
