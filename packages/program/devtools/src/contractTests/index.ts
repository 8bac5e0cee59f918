export { junitXml } from "./report/junit.js";
export { lcov } from "./report/lcov.js";
export { phloDifferences, phloSnapshot } from "./report/phlo.js";
export type { CaseProblem } from "./run/runCase.js";
export { runTests, type TestFile, type TestOptions, type TestResult } from "./run/runTests.js";
