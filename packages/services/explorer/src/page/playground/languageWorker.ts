import { LanguageServer } from "./answerQuestion.js";
import type { LanguageRequest } from "./languageMessages.js";

const language = new LanguageServer();

addEventListener("message", ({ data }: MessageEvent<LanguageRequest>) => {
  postMessage(language.answer(data));
});
