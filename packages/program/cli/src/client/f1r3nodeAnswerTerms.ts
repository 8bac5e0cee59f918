/** For who wants them only on networks of the newer node: to import all of a package would put it into all threads. */
export { f1r3nodeTerms } from "@vedette/terms";
