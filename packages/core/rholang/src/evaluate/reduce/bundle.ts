import type { Bundle, Par } from "@vedette/terms";
import { reduceError } from "../../InterpreterError.js";

/** The bundle, where a term is one bundle and nothing else. @spec 21 §3.8 */
export function singleBundle(par: Par): Bundle | undefined {
  return par.bundles.length === 1 &&
    par.sends.length === 0 &&
    par.receives.length === 0 &&
    par.news.length === 0 &&
    par.exprs.length === 0 &&
    par.matches.length === 0 &&
    par.unforgeables.length === 0 &&
    par.connectives.length === 0
    ? par.bundles[0]
    : undefined;
}

/**
 * The name to send on: one bundle is taken off.
 *
 * @throws {InterpreterError} `ReduceError` when the bundle forbids it
 * @spec 21 §3.4
 */
export function writableChannel(channel: Par): Par {
  const bundle = singleBundle(channel);
  if (bundle === undefined) return channel;
  if (!bundle.writeFlag) throw reduceError("Trying to send on non-writeable channel.");
  return bundle.body;
}

/**
 * The name to read from: one bundle is taken off.
 *
 * @throws {InterpreterError} `ReduceError` when the bundle forbids it
 * @spec 21 §3.5
 */
export function readableChannel(channel: Par): Par {
  const bundle = singleBundle(channel);
  if (bundle === undefined) return channel;
  if (!bundle.readFlag) throw reduceError("Trying to read from non-readable channel.");
  return bundle.body;
}
