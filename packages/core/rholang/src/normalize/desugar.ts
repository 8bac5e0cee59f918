import type {
  Bind,
  LetProcess,
  Name,
  NameDeclaration,
  Process,
  Receipt,
  ReceiveProcess,
  SendProcess,
  SyncSendProcess,
} from "../syntax/ast.js";
import { nilProcess } from "../syntax/ast.js";
import { desugaredPosition } from "../syntax/LineTable.js";
import type { Normalizer } from "./Normalizer.js";

/** `n!?(a…); P` → `new r in { n!(*r, a…) | for (_ <- r) { P } }`. @spec 20 §4 (1) */
export function desugarSyncSend({ channel, data, continuation }: SyncSendProcess, reply: string): Process {
  const send: SendProcess = { kind: "Send", channel, data: [evalOf(reply), ...data], persistent: false };
  const patterns = { names: [{ kind: "NameWildcard" } as const], remainder: undefined };
  const receive = receiveOnce([{ patterns, source: nameOf(reply), sourceKind: "simple", data: [] }], continuation);
  return newIn([reply], { kind: "Parallel", processes: [send, receive] });
}

/**
 * Brings a receive to the one form that has a term, a single receipt with plain sources.
 *
 * @spec 20 §4 (2, 3)
 * @returns the process to normalize instead, `undefined` if the receive has that form
 */
export function desugarReceive(process: ReceiveProcess, normalizer: Normalizer): Process | undefined {
  const { receipts, body } = process;
  if (receipts.length > 1) return nestReceipts(receipts, body);
  const binds = receipts[0]!.binds;
  return binds.every(({ sourceKind }) => sourceKind === "simple") ? undefined : desugarSources(binds, body, normalizer);
}

function nestReceipts(receipts: readonly Receipt[], body: Process): Process {
  let nested = body;
  for (let i = receipts.length - 1; i >= 0; i -= 1)
    nested = { kind: "Receive", receipts: [receipts[i]!], body: nested, position: desugaredPosition };
  return nested;
}

function desugarSources(binds: readonly Bind[], body: Process, normalizer: Normalizer): Process {
  const replies: string[] = [];
  const sends: Process[] = [];
  const acknowledgements: Process[] = [];
  const plain = binds.map((bind): Bind => {
    if (bind.sourceKind === "simple") return bind;
    const reply = normalizer.freshName();
    const { patterns, source } = bind;
    if (bind.sourceKind === "receiveSend") {
      acknowledgements.push({ kind: "Send", channel: nameOf(reply), data: [], persistent: false });
      const names = [nameOf(reply), ...patterns.names];
      return { patterns: { names, remainder: patterns.remainder }, source, sourceKind: "simple", data: [] };
    }
    replies.push(reply);
    sends.push({ kind: "Send", channel: source, data: [evalOf(reply), ...bind.data], persistent: false });
    return { patterns, source: nameOf(reply), sourceKind: "simple", data: [] };
  });
  const continuation = acknowledgements.length === 0 ? body : parallel([...acknowledgements.reverse(), body]);
  const receive = receiveOnce(plain, continuation);
  if (replies.length === 0) return receive;
  // Later sends come first, and the Nil with which they began stays behind the last.
  return newIn(replies, parallel([...sends.reverse(), nilProcess, receive]));
}

/** `let d1 & d2 in { P }` → `new v1, v2 in { v1!(…) | v2!(…) | for (… <- v1 & … <- v2) { P } }`. @spec 20 §4 (6) */
export function desugarConcurrentLet({ declarations, body }: LetProcess, normalizer: Normalizer): Process {
  const channels = declarations.map(() => normalizer.freshName());
  const sends = declarations.map(
    ({ values }, i): Process => ({
      kind: "Send",
      channel: nameOf(channels[i]!),
      data: values,
      persistent: false,
    }),
  );
  const binds = declarations.map(
    ({ patterns }, i): Bind => ({ patterns, source: nameOf(channels[i]!), sourceKind: "simple", data: [] }),
  );
  return newIn(channels, parallel([...sends, receiveOnce(binds, body)]));
}

function nameOf(name: string): Name {
  return { kind: "NameVariable", name, position: desugaredPosition };
}

function evalOf(name: string): Process {
  return { kind: "Eval", name: nameOf(name) };
}

function parallel(processes: readonly Process[]): Process {
  return { kind: "Parallel", processes };
}

function receiveOnce(binds: readonly Bind[], body: Process): Process {
  return { kind: "Receive", receipts: [{ kind: "linear", binds }], body, position: desugaredPosition };
}

function newIn(names: readonly string[], body: Process): Process {
  const declarations = names.map((name): NameDeclaration => ({ name, uri: undefined, position: desugaredPosition }));
  return { kind: "New", declarations, body };
}
