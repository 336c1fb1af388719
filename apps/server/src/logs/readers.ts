/** How many logs each user has open. */
export type Readers = {
  /** Answers how to leave, which counts once; undefined when the user has as many open as anybody may. */
  enter(userId: string): (() => void) | undefined;
};

export function createReaders(perUser: number): Readers {
  const open = new Map<string, number>();

  function leave(userId: string): void {
    const left = (open.get(userId) ?? 1) - 1;
    if (left > 0) open.set(userId, left);
    else open.delete(userId);
  }

  return {
    enter(userId) {
      const already = open.get(userId) ?? 0;
      if (already >= perUser) return undefined;
      open.set(userId, already + 1);
      let isOpen = true;
      return () => {
        if (isOpen) leave(userId);
        isOpen = false;
      };
    },
  };
}
