/**
 * The interpreter is loaded where a command needs it, by this name: the whole package, imported so, would have parts
 * that only threads need, and with these what a thread begins with.
 */
export { compile } from "@vedette/rholang";
