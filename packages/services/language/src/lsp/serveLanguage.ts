import type { Span } from "@vedette/rholang";
import {
  CodeActionKind,
  CompletionItemKind,
  type Connection,
  createConnection,
  DiagnosticSeverity,
  ErrorCodes,
  type Range,
  ResponseError,
  SymbolKind,
  TextDocumentSyncKind,
  TextDocuments,
} from "vscode-languageserver/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import type { LanguageDialect } from "../index.js";
import { OpenProgram } from "./OpenProgram.js";

/** An open document in its present state; `undefined`: the editor has none of this name. */
type FindOpened = (uri: string) => { readonly document: TextDocument; readonly program: OpenProgram } | undefined;

/** Serves an editor over the standard input and output, until it ends the session or goes away. */
export function serveLanguage(version: string, dialect: LanguageDialect): void {
  const connection = createConnection(process.stdin, process.stdout);
  const documents = new TextDocuments(TextDocument);
  const programs = new Map<string, OpenProgram>();

  const opened: FindOpened = (uri) => {
    const document = documents.get(uri);
    if (document === undefined) return undefined;
    const known = programs.get(uri);
    const source = document.getText();
    const program = known !== undefined && known.source === source ? known : new OpenProgram(source, known, dialect);
    programs.set(uri, program);
    return { document, program };
  };

  connection.onInitialize(() => ({
    serverInfo: { name: "vedette", version },
    capabilities: {
      textDocumentSync: TextDocumentSyncKind.Incremental,
      hoverProvider: true,
      definitionProvider: true,
      referencesProvider: true,
      renameProvider: true,
      codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix] },
      documentSymbolProvider: true,
      documentFormattingProvider: true,
      completionProvider: { triggerCharacters: [".", "`"] },
    },
  }));

  documents.onDidChangeContent(({ document: { uri } }) => {
    const { document, program } = opened(uri)!;
    const diagnostics = program.diagnostics.map((diagnostic) => shownDiagnostic(document, diagnostic));
    void connection.sendDiagnostics({ uri, diagnostics });
  });
  documents.onDidClose(({ document: { uri } }) => {
    programs.delete(uri);
    void connection.sendDiagnostics({ uri, diagnostics: [] });
  });

  answerQuestions(connection, opened);
  makeEdits(connection, opened);
  documents.listen(connection);
  connection.listen();
}

/** Answers an editor's requests about a program. */
function answerQuestions(connection: Connection, opened: FindOpened): void {
  connection.onHover(({ textDocument: { uri }, position }) => {
    const { document, program } = opened(uri) ?? {};
    const found = document === undefined ? undefined : program?.hover(document.offsetAt(position));
    if (found === undefined) return null;
    return { contents: { kind: "markdown", value: found.text }, range: rangeOf(document!, found.span) };
  });
  connection.onDefinition(({ textDocument: { uri }, position }) => {
    const { document, program } = opened(uri) ?? {};
    const span = document === undefined ? undefined : program?.definition(document.offsetAt(position));
    return span === undefined ? null : { uri, range: rangeOf(document!, span) };
  });
  connection.onReferences(({ textDocument: { uri }, position, context }) => {
    const { document, program } = opened(uri) ?? {};
    const places = document === undefined ? [] : program!.places(document.offsetAt(position));
    return places.slice(context.includeDeclaration ? 0 : 1).map((span) => ({ uri, range: rangeOf(document!, span) }));
  });
  connection.onDocumentSymbol(({ textDocument: { uri } }) => {
    const { document, program } = opened(uri) ?? {};
    return (program?.outline() ?? []).map(({ name, kind, span, selection }) => ({
      name,
      kind: kind === "contract" ? SymbolKind.Function : SymbolKind.Variable,
      range: rangeOf(document!, span),
      selectionRange: rangeOf(document!, selection),
    }));
  });
  connection.onCompletion(({ textDocument: { uri }, position }) => {
    const { document, program } = opened(uri) ?? {};
    const proposals = document === undefined ? [] : program!.proposals(document.offsetAt(position));
    return proposals.map(({ label, kind, about }) => ({ label, kind: itemKinds[kind], detail: about }));
  });
}

function shownDiagnostic(
  document: TextDocument,
  { severity, rule, message, span }: OpenProgram["diagnostics"][number],
) {
  return {
    range: rangeOf(document, span),
    severity: severity === "error" ? DiagnosticSeverity.Error : DiagnosticSeverity.Warning,
    code: rule,
    source: "vedette",
    message,
  };
}

/** Makes the edits that an editor requests. */
function makeEdits(connection: Connection, opened: FindOpened): void {
  connection.onCodeAction(({ textDocument: { uri }, range }) => {
    const { document, program } = opened(uri) ?? {};
    if (document === undefined || program === undefined) return [];
    const [from, to] = [document.offsetAt(range.start), document.offsetAt(range.end)];
    return program.diagnostics.flatMap((diagnostic) => {
      const { fix, span } = diagnostic;
      if (fix === undefined || span.start > to || span.end < from) return [];
      const edit = { changes: { [uri]: [{ range: rangeOf(document, fix.span), newText: fix.text }] } };
      const diagnostics = [shownDiagnostic(document, diagnostic)];
      return [{ title: `Add “${fix.text}”`, kind: CodeActionKind.QuickFix, diagnostics, edit }];
    });
  });
  connection.onRenameRequest(({ textDocument: { uri }, position, newName }) => {
    const { document, program } = opened(uri) ?? {};
    if (document === undefined || program === undefined) return null;
    try {
      const changes = program.rename(document.offsetAt(position), newName);
      return {
        changes: { [uri]: changes.map(({ span, text }) => ({ range: rangeOf(document, span), newText: text })) },
      };
    } catch (error) {
      return new ResponseError(ErrorCodes.InvalidParams, error instanceof Error ? error.message : String(error));
    }
  });
  connection.onDocumentFormatting(({ textDocument: { uri } }) => {
    const { document, program } = opened(uri) ?? {};
    try {
      const newText = program?.formatted();
      if (document === undefined || newText === undefined || newText === program?.source) return [];
      return [{ range: rangeOf(document, { start: 0, end: document.getText().length }), newText }];
    } catch {
      // Diagnostics report why a text is not a program; there is nothing to format.
      return [];
    }
  });
}

const itemKinds = {
  method: CompletionItemKind.Method,
  channel: CompletionItemKind.Module,
  name: CompletionItemKind.Variable,
} as const;

function rangeOf(document: TextDocument, { start, end }: Span): Range {
  return { start: document.positionAt(start), end: document.positionAt(end) };
}
