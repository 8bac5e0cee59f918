// The house rules about names and code that no linter has. Each rule gives what it finds in one source, by line.
import { basename } from "node:path";

/** Words that no name of the code may have: the words to use instead are in docs/glossary.md. */
const bannedWords = new Set(
  `anybody anyone believed breath breathe breaths brings comes company dear dearest everybody everybodys everyone forgets
  hear heard hears likewise manners meanwhile mended misfortune misfortunes nobody nobodys pace somebody someone such
  tells thereof unheard upon weather whoever whom`.split(/\s+/),
);

/** Words that comments, texts and titles do not use either: code reports, sends, receives; a client or peer is named. */
const bannedInProse =
  /\b(tell|tells|telling|told|hear(?:s|d|ing)?|(?:no|some|any|every)body|(?:some|any|every)one|whoever|whom)\b/i;

/** A comment's first word where it makes a riddle of a noun: it begins with what a function does or a type is. */
const riddleAtFirst = /^\s*(?:\/\*\*|\*|\/\/) (What|Of)\b(?! \w+[^.]*\?)/;
/** Words of comments for what programs do: they report, contain, require; state is stored; requests are sent. */
const bannedInComments =
  /^\s*(?:\/\*\*?|\*|\/\/(?!:)).*?\b(says?|said|saying|stands?|stood|asks?|asked|asking|so many|so long)\b/i;

/** Earlier words for the dialects. `newer` may mean an age: names that begin with it are meant. */
const dialectWords = new Set(["rust", "scala"]);

/** Code that is no part of the program: tests, and packages for development only. */
export function isProduct(path) {
  return !/\.(test|bench)\.tsx?$|\/testing\/|^packages\/development\/(testing|e2e|simulation|fuzz|bench)\/|^examples\//.test(
    path,
  );
}

/** The words of a name: `isNewBlock` has three. */
export function wordsOf(name) {
  return name
    .split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/)
    .filter((word) => word !== "")
    .map((word) => word.toLowerCase());
}

/** Names with a banned word, in the code and in the name of the file. */
function findBannedWords({ path, names }) {
  return findWords(path, names, bannedWords);
}

/** Lines with a word that is banned in prose, in code or not. */
function findBannedProse({ text }) {
  return matchesOf(text.split("\n"), bannedInProse);
}

/** Comments that begin with a riddle, or use words of people for programs; code in backticks is no prose. */
function findRiddles({ text }) {
  const lines = text.split("\n").map((line) => line.replaceAll(/`[^`]*`|\{@\w+ [^}]*\}|"[^"]*"|@param \w+/g, ""));
  return [...matchesOf(lines, riddleAtFirst), ...matchesOf(lines, bannedInComments)];
}

function findDialectWords({ path, names }) {
  const older = names.filter(({ name }) => /^[nN]ewer(?=[A-Z])/.test(name));
  return [...findWords(path, names, dialectWords), ...older.map(({ name, line }) => ({ line, what: name }))];
}

function findWords(path, names, words) {
  const has = (name) => wordsOf(name).some((word) => words.has(word));
  const found = names.filter(({ name }) => has(name)).map(({ name, line }) => ({ line, what: name }));
  return has(basename(path)) ? [{ line: 1, what: basename(path) }, ...found] : found;
}

/** `private` members, except for constructors: a name that begins with `#` is private at run time as well. */
function findPrivateMembers({ lines }) {
  return matchesOf(lines, /^\s*private (?:static |readonly |async |get |set |\*)*(?!constructor)(\w+)/);
}

/** Error classes of product code without the base that gives name, `failure`, message and cause. */
function findBareErrors({ path, lines }) {
  return isProduct(path) ? matchesOf(lines, /\bclass (\w+) extends Error\b/) : [];
}

/** Parameters and options with a dialect as default, or one of a dialect's parts. */
function findDialectDefaults({ path, lines, text }) {
  if (!isProduct(path)) return [];
  const byName = matchesOf(text.split("\n"), /(?:\w|[\]>)]) = ("(?:rnode|f1r3node)")(?=[,)]| \}|$)/);
  const byPart = matchesOf(
    lines,
    /(?:\w|[\]>)]) = ((?:(?:rnode|f1r3node)[A-Z]?\w*|usualDialect)(?:\.\w+)?)(?=[,)]| \}|$)/,
  );
  return [...byPart, ...byName];
}

/** Comparisons with a dialect, and tables by its name: a registry has both, and nothing else. */
function findDialectChoices({ path, lines, text }) {
  if (!isProduct(path)) return [];
  const byName = matchesOf(text.split("\n"), /[!=]== ("rnode(?:-scala|-rust)?"|"f1r3node")/);
  return [...matchesOf(lines, /(Record<DialectName)|[!=]== ((?:rnode|f1r3node)(?:\.\w+)?)\b/), ...byName];
}

function matchesOf(lines, pattern) {
  return lines.flatMap((text, index) => {
    const found = pattern.exec(text);
    return found === null ? [] : [{ line: index + 1, what: found.slice(1).find((part) => part !== undefined) }];
  });
}

/** Rules that look at one source alone, by name. */
export const sourceRules = {
  bannedWords: { about: "a banned word in a name", find: findBannedWords },
  bannedProse: { about: "a banned word in a comment or a text", find: findBannedProse },
  riddles: { about: "a comment that begins with What or Of, or says, stands or asks for a program", find: findRiddles },
  dialectWords: { about: "an old word for a dialect in a name", find: findDialectWords },
  privateMembers: { about: "a private member without #", find: findPrivateMembers },
  bareErrors: { about: "an error class without errorClass of @vedette/errors", find: findBareErrors },
  dialectDefaults: { about: "a dialect as a default", find: findDialectDefaults },
  dialectChoices: { about: "a choice by the dialect outside of the registries", find: findDialectChoices },
};

/** Functions, classes and constants of product code that are exported, and named by no other source. */
export function findUnusedExports(sources) {
  const uses = new Map();
  for (const { names, text } of sources) {
    // Modules that are loaded on demand are named by a text in places.
    const texts = [...text.matchAll(/"(\w+)"/g)].map(([, name]) => name);
    for (const name of new Set([...names.map((one) => one.name), ...texts])) uses.set(name, (uses.get(name) ?? 0) + 1);
  }
  return sources
    .filter(({ path }) => isProduct(path) && !/\.(config|d)\.m?ts$/.test(path))
    .flatMap(({ path, lines }) =>
      matchesOf(lines, /^export (?:async |abstract |declare )*(?:function\*?|class|const|let) (\w+)/)
        .filter(({ what }) => uses.get(what) === 1)
        .map((found) => ({ path, ...found })),
    );
}
