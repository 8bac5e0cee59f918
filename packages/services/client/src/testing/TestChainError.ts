import { errorClass } from "@vedette/errors";

/** Why a chain for tests does not do what it is asked. */
export type TestChainFailure =
  | { readonly code: "notStarted"; readonly reason: string; readonly said: string }
  | { readonly code: "gone"; readonly reason: string }
  | { readonly code: "refused"; readonly path: string; readonly reason: string };

/** A chain for tests does not start, or does not take what a test asks of it. */
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
