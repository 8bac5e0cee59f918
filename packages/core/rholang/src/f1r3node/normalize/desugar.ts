import { spannedError } from "../../InterpreterError.js";
import type {
  F1r3nodeBind,
  F1r3nodeLetDeclaration,
  F1r3nodeLetProcess,
  F1r3nodeName,
  F1r3nodeNamePatterns,
  F1r3nodeProcess,
  F1r3nodeReceiveProcess,
  F1r3nodeSyncSendProcess,
} from "../syntax/ast.js";
import { type PackedSpan, pointOf } from "../syntax/PackedSpan.js";
import type { F1r3nodeNormalizer } from "./F1r3nodeNormalizer.js";

/** `n!?(a…); P` → `new r in { n!(*r, a…) | for (_ <- r) { P } }`. @spec 20 §4 (1) */
export function desugarSyncSend(process: F1r3nodeSyncSendProcess, span: PackedSpan, reply: string): F1r3nodeProcess {
  const { channel, data, continuation } = process;
  const made = new Made(span);
  const send = made.send(channel, [made.evaluated(reply), ...data]);
  const patterns: F1r3nodeNamePatterns = { names: [{ kind: "NameWildcard" }], remainder: undefined };
  const receive = made.receive([linear(patterns, made.name(reply))], continuation ?? { kind: "Nil", span });
  return made.fresh([reply], [send, receive]);
}

/**
 * Brings a receive to the one form that has a term, a single receipt with plain sources.
 *
 * @spec 20 §4 (2, 3), 61 §5
 * @returns the process to normalize instead, `undefined` if the receive has that form, or if its first bind has
 */
export function desugarReceive(
  { receipts, body }: F1r3nodeReceiveProcess,
  normalizer: F1r3nodeNormalizer,
): F1r3nodeProcess | undefined {
  if (receipts.length > 1)
    return receipts.reduceRight<F1r3nodeProcess>(
      (inner, receipt) => ({ kind: "Receive", receipts: [receipt], body: inner, span: body.span }),
      body,
    );
  const binds = receipts[0]!.binds;
  return binds[0]!.sourceKind === "simple" ? undefined : desugarSources(binds, body, normalizer);
}

/** Quirk 61 §5: the guard is lost. */
function desugarSources(
  binds: readonly F1r3nodeBind[],
  body: F1r3nodeProcess,
  normalizer: F1r3nodeNormalizer,
): F1r3nodeProcess {
  const made = new Made(body.span);
  const replies: string[] = [];
  const sends: F1r3nodeProcess[] = [];
  const acknowledgements: F1r3nodeProcess[] = [];
  const plain = binds.map(({ kind, patterns, source, sourceKind, data }): F1r3nodeBind => {
    if (kind !== "linear")
      throw spannedError("BugFoundError", "Bug found: Expected Linear bind in complex source desugaring");
    if (sourceKind === "simple") return linear(patterns, source);
    const reply = normalizer.freshName();
    if (sourceKind === "receiveSend") {
      acknowledgements.push(made.send(made.name(reply), []));
      // Quirk 20 §14.3: the name of the reply comes last.
      return linear({ names: [...patterns.names, made.name(reply)], remainder: patterns.remainder }, source);
    }
    replies.push(reply);
    sends.push(made.send(source, [made.evaluated(reply), ...data]));
    return linear(patterns, made.name(reply));
  });
  const receive = made.receive(plain, made.parallel([...acknowledgements.reverse(), body]));
  return replies.length === 0 ? receive : made.fresh(replies, [...sends.reverse(), receive]);
}

/**
 * `let d1 & d2 in P` → `new v1, v2 in { v1!(…) | v2!(…) | for (… <- v1) { for (… <- v2) { P } } }`.
 *
 * @spec 20 §14.3
 */
export function desugarConcurrentLet(
  { declarations, body }: F1r3nodeLetProcess,
  span: PackedSpan,
  normalizer: F1r3nodeNormalizer,
): F1r3nodeProcess {
  const made = new Made(span);
  const channels = declarations.map(() => normalizer.freshName());
  const sends = declarations.map(({ value }, i) => made.send(made.name(channels[i]!), [value]));
  const receipts = declarations.map((declaration, i) => ({
    binds: [linear(paddedPatterns(declaration), made.name(channels[i]!))],
    guard: undefined,
  }));
  return made.fresh(channels, [...sends, { kind: "Receive", receipts, body, span: body.span }]);
}

/** Quirk 61 §4: a remainder alone comes after a wildcard for the one value. */
function paddedPatterns({ patterns }: F1r3nodeLetDeclaration): F1r3nodeNamePatterns {
  return patterns.names.length > 0 ? patterns : { names: [{ kind: "NameWildcard" }], remainder: patterns.remainder };
}

function linear(patterns: F1r3nodeNamePatterns, source: F1r3nodeName): F1r3nodeBind {
  return { kind: "linear", patterns, source, sourceKind: "simple", data: [] };
}

/** Makes processes that are in no text, at the place of the construct that they implement. */
class Made {
  constructor(private readonly span: PackedSpan) {}

  name(name: string): F1r3nodeName {
    return { kind: "NameVariable", name, span: pointOf(this.span) };
  }

  evaluated(name: string): F1r3nodeProcess {
    return { kind: "Eval", name: this.name(name), span: this.span };
  }

  send(channel: F1r3nodeName, data: readonly F1r3nodeProcess[]): F1r3nodeProcess {
    return { kind: "Send", channel, data, persistent: false, span: this.span };
  }

  receive(binds: readonly F1r3nodeBind[], body: F1r3nodeProcess): F1r3nodeProcess {
    return { kind: "Receive", receipts: [{ binds, guard: undefined }], body, span: this.span };
  }

  /** At the place of the last of them. */
  parallel(processes: readonly F1r3nodeProcess[]): F1r3nodeProcess {
    return { kind: "Parallel", processes, span: processes[processes.length - 1]!.span };
  }

  fresh(names: readonly string[], processes: readonly F1r3nodeProcess[]): F1r3nodeProcess {
    const declarations = names.map((name) => ({ name, uri: undefined, span: pointOf(this.span) }));
    return { kind: "New", declarations, body: this.parallel(processes), span: this.span };
  }
}
