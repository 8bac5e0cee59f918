import { columnsOf } from "./LiveText.js";

/** One column of a table. */
export interface TableColumn {
  readonly title: string;
  /** Numbers are aligned to the right. */
  readonly isNumber?: boolean;
}

/** Rows below their titles, each column as wide as its widest cell. */
export function tableLines(columns: readonly TableColumn[], rows: readonly (readonly string[])[]): string[] {
  const all = [columns.map(({ title }) => title), ...rows];
  const widths = columns.map((_, at) => Math.max(...all.map((row) => columnsOf(row[at] ?? ""))));
  return all.map((row) =>
    columns
      .map(({ isNumber = false }, at) => {
        const text = row[at] ?? "";
        const blank = " ".repeat(widths[at]! - columnsOf(text));
        return isNumber ? blank + text : text + blank;
      })
      .join("  ")
      .trimEnd(),
  );
}
