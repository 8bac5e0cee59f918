/** For who wants them only on f1r3node networks: to import all of a package would put it into all threads. */
export { f1r3nodeTerms } from "@vedette/terms";
