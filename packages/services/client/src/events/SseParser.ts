const lineBreak = /\r\n|\n|\r/;

/** Longest event that is collected, in characters. */
const longestEvent = 16_777_216;

/** Parses a stream of server-sent events. Only the events' data are kept; their names and ids are within it. */
export class SseParser {
  #rest = "";
  #data: string[] = [];
  #size = 0;

  /** @returns the data of events that have come to their end. @throws {RangeError} for an event without end */
  push(chunk: string): string[] {
    const events: string[] = [];
    const text = this.#rest + chunk;
    // A carriage return at the end may be the first half of a line break.
    const isCut = text.endsWith("\r");
    const lines = (isCut ? text.slice(0, -1) : text).split(lineBreak);
    this.#rest = lines.pop()! + (isCut ? "\r" : "");
    for (const line of lines) {
      if (line === "") this.#finish(events);
      else if (line.startsWith("data:")) this.#keep(line.slice(line.startsWith("data: ") ? 6 : 5));
    }
    if (this.#size + this.#rest.length > longestEvent)
      throw new RangeError(`an event has more than ${longestEvent} characters`);
    return events;
  }

  #keep(data: string): void {
    this.#data.push(data);
    this.#size += data.length;
  }

  #finish(events: string[]): void {
    if (this.#data.length > 0) events.push(this.#data.join("\n"));
    this.#data = [];
    this.#size = 0;
  }
}
