import { expect, test } from "vitest";
import { withoutJavaArguments, withProfileBehindRun } from "./runOptions.js";

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
])("%j is understood as %j", (given, understood) => expect(withProfileBehindRun(given)).toEqual(understood));

test("a compose file of the reference is understood", () => {
  const args = ["--profile=docker", "run", "--host=node", "-Dlogback.configurationFile=/var/lib/rnode/logback.xml"];
  expect(withProfileBehindRun(withoutJavaArguments(args))).toEqual(["run", "--profile=docker", "--host=node"]);
});
