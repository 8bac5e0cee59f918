import { readConfig } from "@vedette/config";
import { expect, test } from "vitest";
import { f1r3nodeRuleSetOf } from "./f1r3nodeDialect.js";

function configWith(name?: string) {
  const environment = name === undefined ? {} : { VEDETTE_CASPER_RULE_SET: name };
  return readConfig({ home: "/", configFile: false, environment }).config;
}

test("rules of f1r3node are those of the configured set, of version 0.4.45 where none is", () => {
  expect(f1r3nodeRuleSetOf(configWith()).name).toBe("f1r3node-0.4.45");
  expect(f1r3nodeRuleSetOf(configWith("f1r3node-prior-rejections")).name).toBe("f1r3node-prior-rejections");
});

test("a set that is not known is refused with those that are", () => {
  expect(() => f1r3nodeRuleSetOf(configWith("f1r3node-9"))).toThrow(
    'casper.rule-set: there is no rule set "f1r3node-9"; known: f1r3node-0.4.45, f1r3node-prior-rejections',
  );
});
