import { rules } from "@vedette/language";
import { page } from "../markdown.js";

/** Every rule of the linter, with a program that it remarks on and one that it does not. */
export function lintRulesPage(): string {
  const sections = rules.flatMap(({ id, about, why, bad, good }) => [
    `## ${id}`,
    `${about}. ${why}`,
    "Remarked on:",
    fenced(bad),
    "Not:",
    fenced(good),
  ]);
  return page(
    "Rules of the linter",
    "the rules of `packages/services/language/src/lint/rules.ts`",
    introduction,
    ...sections,
  );
}

const introduction = [
  "For authors of contracts. `vedette lint` checks these rules. A comment disables rules: `// lint: allow race` for its line,",
  "alone on a line for the next one; `// lint: allow-in-file race, unused-name` for the complete file. Compiler errors have",
  "the name of their class and cannot be disabled.",
].join(" ");

function fenced(program: string): string {
  return `\`\`\`rholang\n${program}\n\`\`\``;
}
