import { Language } from "./answerQuestion.js";
import type { LanguageRequest } from "./languageMessages.js";

const language = new Language();

addEventListener("message", ({ data }: MessageEvent<LanguageRequest>) => {
  postMessage(language.answer(data));
});
