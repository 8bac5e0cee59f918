import { Language } from "./answerQuestion.js";
import type { LanguageQuestion } from "./languageMessages.js";

const language = new Language();

addEventListener("message", ({ data }: MessageEvent<LanguageQuestion>) => {
  postMessage(language.answer(data));
});
