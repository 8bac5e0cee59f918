import { methods, systemChannels } from "@vedette/rholang";
import { expect, test } from "vitest";
import { channelTexts, methodTexts } from "./words.js";

test("every method and every channel of the system has its text", () => {
  expect([...methodTexts.keys()].sort()).toEqual([...methods.keys()].sort());
  expect([...channelTexts.keys()].sort()).toEqual([...systemChannels.keys()].sort());
});

test("the text of a method shows as many arguments as it takes", () => {
  for (const [name, text] of methodTexts) {
    const [, args] = /^`\w+\((.*?)\)`/.exec(text)!;
    expect(args === "" ? 0 : args!.split(", ").length, name).toBe(methods.get(name));
  }
});
