export type Scope = {
  /** Runs when the benchmark ends, however it ends; the last one first. */
  defer(undo: () => unknown): void;
  close(): Promise<void>;
};

export function createScope(): Scope {
  const undos: (() => unknown)[] = [];
  return {
    defer: (undo) => void undos.push(undo),
    async close() {
      for (let undo = undos.pop(); undo !== undefined; undo = undos.pop()) {
        try {
          await undo();
        } catch (error) {
          console.error(error);
        }
      }
    },
  };
}
