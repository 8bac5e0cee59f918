import { type KeyName, keyNames, keyOf, longOptionOf } from "@vedette/config";
import { expect, test } from "vitest";
import { runOptionValues, withoutJavaArguments, withProfileBehindCommand } from "./runOptions.js";
import { vedetteProgram } from "./vedetteProgram.js";

test.each([
  [
    ["--profile=docker", "run", "--host=a"],
    ["run", "--profile=docker", "--host=a"],
  ],
  [
    ["--profile", "docker", "run"],
    ["run", "--profile=docker"],
  ],
  [
    ["--profile=docker", "network", "--prepare"],
    ["network", "--prepare"],
  ],
  [
    ["--profile=docker", "publish", "--nats", "nats://a:1"],
    ["publish", "--profile=docker", "--nats", "nats://a:1"],
  ],
  [
    ["--profile", "docker", "db", "stats", "--json"],
    ["db", "stats", "--profile=docker", "--json"],
  ],
  [
    ["--profile=docker", "snapshot", "list", "--place=a"],
    ["snapshot", "list", "--place=a"],
  ],
  [["--profile=docker", "unknown"], ["unknown"]],
  [["--profile=docker"], ["--profile=docker"]],
  [
    ["--profile=docker", "--standalone"],
    ["--profile=docker", "--standalone"],
  ],
  [
    ["run", "--profile=docker"],
    ["run", "--profile=docker"],
  ],
  [[], []],
])("%j is understood as %j", (given, understood) =>
  expect(withProfileBehindCommand(given, vedetteProgram())).toEqual(understood),
);

/** What `vedette run` understands of these arguments. */
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

test("an option that switches off stands above the one that switches on", () => {
  const heartbeat = "casper.heartbeat.enabled";
  expect(understood(["--heartbeat-disabled"])).toEqual({ [heartbeat]: false });
  expect(understood(["--heartbeat-disabled", "--heartbeat-enabled"])).toEqual({ [heartbeat]: false });
  expect(understood([])).toEqual({});
});

test("a compose file of the reference is understood", () => {
  const args = ["--profile=docker", "run", "--host=node", "-Dlogback.configurationFile=/var/lib/rnode/logback.xml"];
  expect(withProfileBehindCommand(withoutJavaArguments(args), vedetteProgram())).toEqual([
    "run",
    "--profile=docker",
    "--host=node",
  ]);
});
