/** For callers that load them only on f1r3node networks. To import all of a package would load it in all threads. */
export { f1r3nodeTerms } from "@vedette/terms";
