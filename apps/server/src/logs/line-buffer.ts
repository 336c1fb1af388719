/** A line that waits to be stored. */
export type PendingLine = { at: number; name: string; text: string };

/**
 * Lines between an app that writes and a disk that stores. Bounded: what finds no room is counted, and the count
 * follows as a line of its own.
 */
export type LineBuffer = {
  hasRoom(): boolean;
  isEmpty(): boolean;
  /** Time to store without waiting for more. */
  isFilling(): boolean;
  push(line: PendingLine): void;
  /** Counts lines that are lost. The name is the one the loss is told under. */
  drop(lines: number, name: string, at: number): void;
  take(): Batch;
};

/** Lines to store, and how many lines were appended for them: a line about a loss stands for all that were lost. */
export type Batch = { lines: PendingLine[]; appended: number };

export type BufferLimits = { lines: number; characters: number };

export function createLineBuffer(limits: BufferLimits): LineBuffer {
  let lines: PendingLine[] = [];
  let characters = 0;
  let lost = { lines: 0, name: '', at: 0 };

  return {
    hasRoom: () => lines.length < limits.lines && characters < limits.characters,
    isEmpty: () => lines.length === 0,
    isFilling: () => lines.length * 2 > limits.lines || characters * 2 > limits.characters,
    push(line) {
      lines.push(line);
      characters += line.text.length;
    },
    drop(count, name, at) {
      lost = { lines: lost.lines + count, name, at };
    },
    take() {
      const taken = lines;
      const appended = lines.length + lost.lines;
      if (lost.lines > 0) taken.push({ at: lost.at, name: lost.name, text: lossText(lost.lines) });
      lines = [];
      characters = 0;
      lost = { lines: 0, name: '', at: 0 };
      return { lines: taken, appended };
    },
  };
}

function lossText(count: number): string {
  const subject = count === 1 ? '1 line was' : `${count.toLocaleString('en')} lines were`;
  return `… ${subject} dropped here: they came faster than they could be stored`;
}
