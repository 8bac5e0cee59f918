import { expect, test } from "vitest";
import { withoutJavaArguments, withProfileBehindCommand } from "./runOptions.js";
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

test("a compose file of the reference is understood", () => {
  const args = ["--profile=docker", "run", "--host=node", "-Dlogback.configurationFile=/var/lib/rnode/logback.xml"];
  expect(withProfileBehindCommand(withoutJavaArguments(args), vedetteProgram())).toEqual([
    "run",
    "--profile=docker",
    "--host=node",
  ]);
});
