// For tests of programs and contracts, whatever runs them.
export {
  type TestAccount,
  TestChain,
  type TestChainOptions,
  type TestDeploy,
  type TestDeployOptions,
} from "./TestChain.js";
export { TestChainError, type TestChainFailure } from "./TestChainError.js";
