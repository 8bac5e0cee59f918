import languageUrl from "../page/playground/languageWorker.js?worker&url";
import runUrl from "../verify/runWorker.js?worker&url";

const urls = { language: languageUrl, run: runUrl } as const;

/** Begins a worker of this site. */
export function startWorker(kind: keyof typeof urls): Worker {
  return new Worker(trusted(urls[kind]), { type: "module" });
}

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string };
}

/** The addresses of scripts that this page makes from texts: where policies are demanded, by a policy. */
const policy = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy("vedette-worker", {
  createScriptURL: (url) => {
    if (!Object.values<string>(urls).includes(url)) throw new TypeError("Only workers of this site are loaded");
    return url;
  },
});

function trusted(url: string): string {
  return policy?.createScriptURL(url) ?? url;
}
