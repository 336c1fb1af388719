export type Scope = {
  /**
   * Runs at the end of the benchmark, in reverse order, also after a failure; immediately if it has already ended.
   */
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
