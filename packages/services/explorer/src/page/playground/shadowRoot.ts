/**
 * A tree of its own below an element, with the page's styles.
 *
 * The editor brings its styles along. In a page it would write them into a `style` element, which the page's policy
 * forbids; in such a tree it makes them a sheet by the browser's own means, which nothing has to forbid.
 */
export function shadowRootOf(element: HTMLElement): ShadowRoot {
  const root = element.shadowRoot ?? element.attachShadow({ mode: "open" });
  const sheet = new CSSStyleSheet();
  const rules = [...document.styleSheets].flatMap(({ cssRules }) => [...cssRules]);
  // Fonts are those of the page; a tree cannot have its own.
  sheet.replaceSync(
    rules
      .filter((rule) => !(rule instanceof CSSFontFaceRule))
      .map(({ cssText }) => cssText)
      .join("\n"),
  );
  root.adoptedStyleSheets = [sheet];
  return root;
}
