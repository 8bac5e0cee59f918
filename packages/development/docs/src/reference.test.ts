import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { referencePages } from "./referencePages.js";

const folder = fileURLToPath(new URL("../../../../docs/reference/", import.meta.url));

test.each(Object.entries(referencePages))("docs/reference/%s matches the code's tables", (file, page) => {
  expect(readFileSync(`${folder}${file}`, "utf8") === page(), "run npm run docs").toBe(true);
});

test("every page with a mark of the generator is generated", () => {
  const made = readdirSync(folder).filter((file) => readFileSync(`${folder}${file}`, "utf8").includes("<!-- Made by"));
  expect(made.toSorted()).toEqual(Object.keys(referencePages).toSorted());
});
