import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { blockStateTexts, deployStateTexts, invalidBlockText } from "./stateTexts.js";

test("each state has a sentence of its own, which the glossary has as well", () => {
  const glossary = readFileSync(new URL("../../../../../docs/glossary.md", import.meta.url), "utf8");
  for (const [of, texts] of Object.entries({ block: blockStateTexts, deploy: deployStateTexts }))
    for (const [state, { word, sentence }] of Object.entries(texts)) {
      expect(glossary).toContain(`| ${of} | \`${state}\` | ${word} | ${sentence} |`);
      expect(sentence).toMatch(/^[A-Z].*\.$/);
    }
  expect(glossary).toContain(`| ${invalidBlockText.word} | ${invalidBlockText.sentence} |`);
});
