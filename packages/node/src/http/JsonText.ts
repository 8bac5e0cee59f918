/** An answer that was printed already. */
export class JsonText {
  readonly text: string;
  /** Whether it can still become another answer, where the route's other answers can. */
  readonly isSettled: boolean;

  constructor(text: string, { isSettled = false }: { readonly isSettled?: boolean } = {}) {
    this.text = text;
    this.isSettled = isSettled;
  }
}
