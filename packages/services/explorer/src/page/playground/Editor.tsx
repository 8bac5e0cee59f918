import {
  autocompletion,
  type CompletionContext,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, indentOnInput, indentUnit } from "@codemirror/language";
import { linter, lintGutter, lintKeymap } from "@codemirror/lint";
import { EditorState, StateEffect } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightSpecialChars,
  hoverTooltip,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { type RefObject, useEffect, useRef } from "react";
import type { LanguageClient } from "./LanguageClient.js";
import { rholangMode } from "./rholangMode.js";
import { shadowRootOf } from "./shadowRoot.js";

/** The operations of a page on the text of its editor. */
export interface EditorHandle {
  text(): string;
  setText(text: string): void;
  /** Updates the remarks for another language. */
  lookAgain(): void;
}

const languageChanged = StateEffect.define();

interface EditorProps {
  readonly first: string;
  readonly handle: RefObject<EditorHandle | undefined>;
  readonly language: LanguageClient;
  readonly onRun: () => void;
  readonly onFormat: () => void;
}

/** An editor for Rholang. What it shows is made by the editor's own nodes; remarks and proposals are text. */
export function Editor({ first, handle, language, onRun, onFormat }: EditorProps) {
  const box = useRef<HTMLDivElement>(null);
  const latest = useRef({ onRun, onFormat });
  latest.current = { onRun, onFormat };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor is made once; its text is its own from then on
  useEffect(() => {
    const own = keymap.of([
      { key: "Mod-Enter", run: () => taken(latest.current.onRun) },
      { key: "Shift-Alt-f", run: () => taken(latest.current.onFormat) },
    ]);
    const root = shadowRootOf(box.current!);
    const parent = document.createElement("div");
    parent.className = "editor";
    root.append(parent);
    const view = new EditorView({
      parent,
      root,
      state: EditorState.create({
        doc: first,
        extensions: [
          own,
          EditorView.domEventHandlers({ beforeinput: typeOver }),
          lineNumbers(),
          history(),
          drawSelection(),
          highlightActiveLine(),
          // Characters that turn the direction of writing, or are not seen, are shown as such.
          highlightSpecialChars(),
          bracketMatching(),
          closeBrackets(),
          indentOnInput(),
          indentUnit.of("  "),
          rholangMode,
          lintGutter(),
          linter((at) => remarks(language, at.state.doc.toString()), {
            delay: 250,
            needsRefresh: ({ transactions }) =>
              transactions.some(({ effects }) => effects.some((effect) => effect.is(languageChanged))),
          }),
          autocompletion({ override: [(context) => proposals(language, context)] }),
          hoverTooltip((at, offset) => hover(language, at.state.doc.toString(), offset)),
          keymap.of([
            ...closeBracketsKeymap,
            ...completionKeymap,
            ...lintKeymap,
            ...historyKeymap,
            ...defaultKeymap,
            indentWithTab,
          ]),
          EditorView.contentAttributes.of({ "aria-label": "Program in Rholang" }),
          EditorView.lineWrapping,
        ],
      }),
    });
    // A long program scrolls, by the keyboard as well.
    view.scrollDOM.tabIndex = 0;
    handle.current = {
      text: () => view.state.doc.toString(),
      setText: (text) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } }),
      lookAgain: () => view.dispatch({ effects: languageChanged.of(null) }),
    };
    return () => {
      handle.current = undefined;
      view.destroy();
      parent.remove();
    };
  }, []);
  return <div ref={box} />;
}

/**
 * Puts what is typed into the place of what is selected. The browser's own way would keep the look of the old text by
 * a style attribute, which the page's policy forbids.
 */
function typeOver(event: InputEvent, view: EditorView): boolean {
  const { state } = view;
  if (event.inputType !== "insertText" || event.data === null || state.selection.main.empty || view.composing)
    return false;
  event.preventDefault();
  view.dispatch(state.replaceSelection(event.data), { userEvent: "input.type", scrollIntoView: true });
  return true;
}

/** Runs the action of a key and marks the key as handled. */
function taken(act: () => void): true {
  act();
  return true;
}

async function remarks(language: LanguageClient, source: string) {
  const found = await language.ask("check", source).catch(() => []);
  return found.map(({ severity, message, rule, start, end }) => {
    const from = Math.min(start, source.length);
    return { severity, message, source: rule, from, to: Math.min(Math.max(end, from), source.length) };
  });
}

const types = { method: "method", channel: "constant", name: "variable" } as const;

async function proposals(language: LanguageClient, context: CompletionContext) {
  const word = context.matchBefore(/(?:\.|`)?[\w:]*/);
  if (word === null || (word.from === word.to && !context.explicit)) return null;
  const found = await language.ask("propose", context.state.doc.toString(), context.pos).catch(() => []);
  const isMarked = /^[.`]/.test(word.text);
  return {
    from: isMarked ? word.from + 1 : word.from,
    options: found.map(({ label, kind, about }) => ({ label, type: types[kind], info: about.replaceAll("`", "") })),
    validFor: /^[\w:]*$/,
  };
}

async function hover(language: LanguageClient, source: string, offset: number) {
  const found = await language.ask("hover", source, offset).catch(() => undefined);
  if (found === undefined) return null;
  return {
    pos: found.start,
    end: found.end,
    create: () => {
      const dom = document.createElement("div");
      dom.className = "hover-text";
      dom.textContent = found.text.replaceAll(/\*\*|`/g, "");
      return { dom };
    },
  };
}
