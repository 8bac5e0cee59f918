/** One way to part a list in two, the order kept in both; `count` is the number of chosen elements. */
export interface Split<T> {
  readonly chosen: readonly T[];
  readonly rest: readonly T[];
  readonly count: number;
}

/** Every way to choose from `least` to `most` elements, in rnode's order, written as the chapter does. @spec 22 §1.5 */
export function subsets<T>(list: readonly T[], least: number, most: number): Split<T>[] {
  if (most < 0 || least > most) return [];
  if (least <= 0) return most === 0 ? [{ chosen: [], rest: list, count: 0 }] : counted(list, most);
  const [head, ...tail] = list;
  if (head === undefined) return [];
  return subsets(tail, least - 1, most).flatMap((split) => {
    if (split.count === most) return [left(head, split)];
    if (split.count === least - 1) return [{ ...taken(head, split), count: least }];
    return [left(head, split), taken(head, split)];
  });
}

function counted<T>(list: readonly T[], most: number): Split<T>[] {
  const none: Split<T> = { chosen: [], rest: list, count: 0 };
  const [head, ...tail] = list;
  if (head === undefined) return [none];
  const more = counted(tail, most).flatMap((split) => {
    if (split.count === most) return [left(head, split)];
    if (split.chosen.length === 0) return [{ ...taken(head, split), count: 1 }];
    return [left(head, split), taken(head, split)];
  });
  return [none, ...more];
}

function left<T>(head: T, { chosen, rest, count }: Split<T>): Split<T> {
  return { chosen, rest: [head, ...rest], count };
}

function taken<T>(head: T, { chosen, rest, count }: Split<T>): Split<T> {
  return { chosen: [head, ...chosen], rest, count: count + 1 };
}
