import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { packageFolders, root } from "../documents.js";
import { code, page, table } from "../markdown.js";

/** A place in the code that names the section it follows. */
interface RulePlace {
  /** From the checkout on. */
  readonly path: string;
  /** Names at the top level of the file; empty where only members or the file itself name the section. */
  readonly names: Set<string>;
}

/** Every section of the protocol with the code that follows it, read from the `@spec` tags of the packages. */
export function rulesPage(): string {
  const places = rulePlaces();
  const chapters = readdirSync(join(root, "docs/protocol"))
    .filter((file) => /^\d\d-.*\.md$/.test(file))
    .map((file) => chapterPart(file, places));
  if (places.size > 0)
    throw new Error(`@spec tags name sections that no chapter has: ${[...places.keys()].join(", ")}`);
  return page("Rules and their code", "the `@spec` tags of `packages`", introduction, ...chapters);
}

const introduction =
  "For readers of the code. Each section of [the protocol](../README.md) with the files that follow it and what they declare for it. Paths begin in `packages`, and leave `src` out. Tests are beside the code, as `<file>.test.ts`. Files that a package exports come first. A section without code describes formats of the reference nodes, or is followed by a section that it names.";

/** The headings of a chapter with their code. What is found is removed from `places`. */
function chapterPart(file: string, places: Map<string, Map<string, RulePlace>>): string {
  const number = file.slice(0, 2);
  const text = readFileSync(join(root, "docs/protocol", file), "utf8");
  const title = /^# (.*)$/m.exec(text)?.[1] ?? number;
  const rows = [...text.matchAll(/^##+ (?:Appendix )?([A-Z0-9]+(?:\.\d+[a-z]?)*)[.:]? (.*)$/gm)].flatMap(
    ([, section, heading]) => {
      const key = `${number} §${section}`;
      const found = places.get(key);
      places.delete(key);
      return found === undefined ? [] : [[`§${section} ${heading}`, placesText([...found.values()])]];
    },
  );
  return `## ${title}\n\n${table(["section", "code"], rows)}`;
}

function placesText(places: readonly RulePlace[]): string {
  return places
    .map(({ path, names }) => {
      const file = code(path.replace(/^packages\//, "").replace("/src/", "/"));
      return names.size === 0 ? file : `${file} (${[...names].join(", ")})`;
    })
    .join("<br>");
}

/** By section, and within it by file. */
function rulePlaces(): Map<string, Map<string, RulePlace>> {
  const bySection = new Map<string, Map<string, RulePlace>>();
  for (const path of sourcePaths()) {
    for (const { section, name } of taggedSections(readFileSync(join(root, path), "utf8"))) {
      let byFile = bySection.get(section);
      if (byFile === undefined) bySection.set(section, (byFile = new Map()));
      const place = byFile.get(path) ?? { path, names: new Set() };
      byFile.set(path, place);
      if (name !== undefined) place.names.add(name);
    }
  }
  return bySection;
}

/** Sources of the product: what is tested or generated, and the tools of development, is left out. */
function sourcePaths(): string[] {
  return packageFolders()
    .filter((folder) => !folder.startsWith("packages/development/"))
    .flatMap((folder) =>
      readdirSync(join(root, folder, "src"), { recursive: true })
        .map((name) => `${folder}/src/${String(name).replaceAll("\\", "/")}`)
        .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$|\/(testing|generated|vectors)\//.test(path)),
    )
    .sort(byExport(packageFolders()));
}

/** Files that the index of their package exports before all others, each in the order of their paths. */
function byExport(folders: readonly string[]): (left: string, right: string) => number {
  const exported = new Set(
    folders.flatMap((folder) => {
      const index = join(root, folder, "src/index.ts");
      const text = existsSync(index) ? readFileSync(index, "utf8") : "";
      return [...text.matchAll(/ from "\.\/(.+)\.js"/g)].map(([, name]) => `${folder}/src/${name}.ts`);
    }),
  );
  const rank = (path: string) => (exported.has(path) ? 0 : 1);
  return (left, right) => rank(left) - rank(right) || (left < right ? -1 : 1);
}

const tag = /@spec ([^\n*]*)/g;
const declaration =
  /^(?:export )?(?:default )?(?:declare )?(?:abstract )?(?:async )?(?:function\*?|class|const|let|interface|type|enum) ([\w$]+)/;

/** The sections that comments of a source name, each with what is declared behind its comment. */
export function taggedSections(text: string): { readonly section: string; readonly name: string | undefined }[] {
  return [...text.matchAll(/\/\*\*[\s\S]*?\*\//g)].flatMap(({ 0: comment, index }) => {
    const next = text.slice(index + comment.length).trimStart();
    const isAtTop = index === 0 || text[index - 1] === "\n";
    const name = isAtTop ? declaration.exec(next)?.[1] : undefined;
    return [...comment.matchAll(tag)].flatMap(([, sections]) =>
      sectionsOf(sections!).map((section) => ({ section, name })),
    );
  });
}

/** `40 §3.8, §3.10, 61 §2` names three sections. A chapter alone names none. */
function sectionsOf(text: string): string[] {
  const sections: string[] = [];
  let chapter: string | undefined;
  for (const [, number, section] of text.matchAll(/\b(\d\d)(?= §|,|$| and)|§([A-Z]?\d*(?:\.\d+[a-z]?)*)/g)) {
    chapter = number ?? chapter;
    if (section !== undefined && section !== "" && chapter !== undefined)
      sections.push(`${chapter} §${section.replace(/^\./, "")}`);
  }
  return sections;
}
