import type { F1r3nodeWork, TaskGroup } from "./F1r3nodeWork.js";

/**
 * The order of tasks, as f1r3node's scheduler has it where one thread runs them all: of a group that is started
 * the last runs next, and the others queue up behind all that wait.
 *
 * @spec 61 §6.1
 */
export class TaskQueue {
  private next: F1r3nodeWork | undefined = undefined;
  private groups: TaskGroup[] = [];
  private first = 0;

  /** Number of groups that wait. */
  get length(): number {
    return this.groups.length - this.first + (this.next === undefined ? 0 : 1);
  }

  start(group: TaskGroup): void {
    if (this.next !== undefined) this.groups.push(groupOf([this.next]));
    this.next = group.takeLast();
    this.groups.push(group);
  }

  /** `undefined` when all have run. */
  take(): F1r3nodeWork | undefined {
    const { next } = this;
    if (next !== undefined) {
      this.next = undefined;
      return next;
    }
    while (this.first < this.groups.length) {
      const task = this.groups[this.first]!.takeNext();
      if (task !== undefined) return task;
      this.first += 1;
      this.compact();
    }
    return undefined;
  }

  private compact(): void {
    if (this.first < 1024 || this.first * 2 < this.groups.length) return;
    this.groups = this.groups.slice(this.first);
    this.first = 0;
  }
}

/** A group of tasks that are there already. */
export function groupOf(tasks: readonly F1r3nodeWork[]): TaskGroup {
  let next = 0;
  let end = tasks.length;
  return {
    takeNext() {
      const task = next < end ? tasks[next] : undefined;
      next += 1;
      return task;
    },
    takeLast() {
      end -= 1;
      return tasks[end]!;
    },
  };
}
