import { OpenProgram } from "@vedette/language/program";
import type { LanguageAnswers, LanguageReply, LanguageRequest } from "./languageMessages.js";

/** Answers questions about the text of one editor, as `vedette lsp` does. */
export class LanguageServer {
  #program = new OpenProgram("", undefined, "rnode");

  answer(question: LanguageRequest): LanguageReply {
    const { id, dialect, source } = question;
    try {
      if (source !== this.#program.source || dialect !== this.#program.dialect)
        this.#program = new OpenProgram(source, this.#program, dialect);
      return { id, answer: this.#about(question) };
    } catch (error) {
      return { id, problem: error instanceof Error ? error.message : String(error) };
    }
  }

  #about(question: LanguageRequest): LanguageAnswers[keyof LanguageAnswers] {
    const program = this.#program;
    switch (question.kind) {
      case "check":
        return program.diagnostics.map(({ severity, message, rule, span: { start, end } }) => ({
          ...{ severity, message, rule, start, end },
        }));
      case "format":
        return program.formatted();
      case "propose":
        return program.proposals(question.offset);
      case "hover": {
        const found = program.hover(question.offset);
        return found && { start: found.span.start, end: found.span.end, text: found.text };
      }
    }
  }
}
