import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { referencePages } from "./referencePages.js";

const folder = fileURLToPath(new URL("../../../../docs/reference/", import.meta.url));

test.each(Object.entries(referencePages))("docs/reference/%s is what the code's tables say", (file, page) => {
  expect(readFileSync(`${folder}${file}`, "utf8") === page(), "run npm run docs").toBe(true);
});

test("every page that says it was made is made", () => {
  const made = readdirSync(folder).filter((file) => readFileSync(`${folder}${file}`, "utf8").includes("<!-- Made by"));
  expect(made.toSorted()).toEqual(Object.keys(referencePages).toSorted());
});
