export type Scope = {
  /** Runs when the benchmark ends, however it ends, the last one first; at once when it has ended already. */
  defer(undo: () => unknown): void;
  close(): Promise<void>;
};

export function createScope(): Scope {
  const undos: (() => unknown)[] = [];
  let closing: Promise<void> | undefined;
  return {
    defer(undo) {
      if (closing !== undefined) void attempt(undo);
      else undos.push(undo);
    },
    close() {
      closing ??= undoAll();
      return closing;
    },
  };

  async function undoAll(): Promise<void> {
    for (let undo = undos.pop(); undo !== undefined; undo = undos.pop()) await attempt(undo);
  }
}

async function attempt(undo: () => unknown): Promise<void> {
  try {
    await undo();
  } catch (error) {
    console.error(error);
  }
}
