/** A line that is not stored yet. */
export type PendingLine = { at: number; name: string; text: string };

/**
 * Buffers lines between an app and the disk. The size is limited: dropped lines are counted, and the count is stored
 * as a separate line.
 */
export type LineBuffer = {
  hasRoom(): boolean;
  isEmpty(): boolean;
  isHalfFull(): boolean;
  push(line: PendingLine): void;
  /** Counts dropped lines. `name` is the log name of the line that reports them. */
  drop(lines: number, name: string, at: number): void;
  take(): Batch;
};

/** Lines to store, and the number of appended lines they represent: one line reports all dropped lines. */
export type Batch = { lines: PendingLine[]; appended: number };

export type BufferLimits = { lines: number; characters: number };

export function createLineBuffer(limits: BufferLimits): LineBuffer {
  let lines: PendingLine[] = [];
  let characters = 0;
  let dropped = { lines: 0, name: '', at: 0 };

  return {
    hasRoom: () => lines.length < limits.lines && characters < limits.characters,
    isEmpty: () => lines.length === 0,
    isHalfFull: () => lines.length * 2 > limits.lines || characters * 2 > limits.characters,
    push(line) {
      lines.push(line);
      characters += line.text.length;
    },
    drop(count, name, at) {
      dropped = { lines: dropped.lines + count, name, at };
    },
    take() {
      const taken = lines;
      const appended = lines.length + dropped.lines;
      if (dropped.lines > 0) {
        taken.push({ at: dropped.at, name: dropped.name, text: droppedText(dropped.lines) });
      }
      lines = [];
      characters = 0;
      dropped = { lines: 0, name: '', at: 0 };
      return { lines: taken, appended };
    },
  };
}

function droppedText(count: number): string {
  const subject = count === 1 ? '1 line was' : `${count.toLocaleString('en')} lines were`;
  return `… ${subject} dropped here: they arrived faster than they could be stored`;
}
