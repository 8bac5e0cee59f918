import type { TestResult } from "../run/runTests.js";

/** The results as JUnit's XML, which systems for continuous integration read. */
export function junitXml(results: readonly TestResult[]): string {
  const files = [...new Set(results.map(({ file }) => file))];
  const suites = files.map((file) => {
    const cases = results.filter((result) => result.file === file);
    const failures = cases.filter(({ problems }) => problems.length > 0).length;
    const head = `<testsuite ${attributes({ name: file, tests: cases.length, failures, errors: 0, skipped: 0 })}>`;
    return [`  ${head}`, ...cases.map(testCase), "  </testsuite>"].join("\n");
  });
  return ['<?xml version="1.0" encoding="UTF-8"?>', "<testsuites>", ...suites, "</testsuites>", ""].join("\n");
}

function testCase({ file, name, line, problems, ms }: TestResult): string {
  const head = attributes({ name, classname: file, file, line, time: (ms / 1000).toFixed(3) });
  if (problems.length === 0) return `    <testcase ${head}/>`;
  const failures = problems.map(({ message, expected, actual, line: at }) => {
    const body = expected === undefined ? message : `expected: ${expected}\nactual: ${actual}`;
    return `      <failure ${attributes({ message })}>${xmlText(`${file}:${at}\n${body}`)}</failure>`;
  });
  return [`    <testcase ${head}>`, ...failures, "    </testcase>"].join("\n");
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}="${xmlText(String(value))}"`)
    .join(" ");
}

/** Characters that XML does not allow become question marks. */
function xmlText(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these are forbidden
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "?")
      .replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      .replaceAll(">", "&gt;")
      .replaceAll('"', "&quot;")
      .replaceAll("\n", "&#10;")
  );
}
