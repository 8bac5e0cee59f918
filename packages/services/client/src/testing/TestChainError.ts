import { errorClass } from "@vedette/errors";

/** The reasons why a chain for tests does not fulfill a request. */
export type TestChainFailure =
  | { readonly code: "notStarted"; readonly reason: string; readonly said: string }
  | { readonly code: "gone"; readonly reason: string }
  | { readonly code: "refused"; readonly path: string; readonly reason: string };

/** A chain for tests does not start, or does not accept a test's request. */
export class TestChainError extends errorClass("TestChainError", sentence) {}

function sentence(failure: TestChainFailure): string {
  switch (failure.code) {
    case "notStarted": {
      const said = failure.said === "" ? "" : `:\n${failure.said}`;
      return `The chain for tests, vedette dev, does not start: ${failure.reason}${said}\nIs the program there (npm install --save-dev vedette)? TestChain.start({ program }) names another one`;
    }
    case "gone":
      return `The chain for tests does not answer any more: ${failure.reason}`;
    case "refused":
      return `The chain for tests refuses ${failure.path}: ${failure.reason}`;
  }
}
