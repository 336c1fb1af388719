/** Has the work done when it is its owner's turn. */
export type TakeTurn = (owner: string, work: () => Promise<void>) => void;

export type TurnLimits = { atOnce: number; atOncePerOwner: number };

type Line = { running: number; waiting: (() => Promise<void>)[] };

/** Some works at a time, and the owners in turn, so that nobody waits for all the works of somebody else. */
export function createFairTurns({ atOnce, atOncePerOwner }: TurnLimits): TakeTurn {
  const lines = new Map<string, Line>();
  let running = 0;

  function begin(owner: string, line: Line, work: () => Promise<void>): void {
    running += 1;
    line.running += 1;
    goToTheEnd(owner, line);
    void work().finally(() => {
      running -= 1;
      line.running -= 1;
      goToTheEnd(owner, line);
      beginNext();
    });
  }

  /** Whose turn it was lets the others pass; who has nothing to do leaves. */
  function goToTheEnd(owner: string, line: Line): void {
    lines.delete(owner);
    if (line.running > 0 || line.waiting.length > 0) lines.set(owner, line);
  }

  function beginNext(): void {
    while (running < atOnce) {
      const [owner, line] = nextLine(lines, atOncePerOwner) ?? [];
      const work = line?.waiting.shift();
      if (owner === undefined || line === undefined || work === undefined) return;
      begin(owner, line, work);
    }
  }

  return (owner, work) => {
    const line = lines.get(owner) ?? { running: 0, waiting: [] };
    lines.set(owner, line);
    line.waiting.push(work);
    beginNext();
  };
}

function nextLine(lines: Map<string, Line>, atOncePerOwner: number): [string, Line] | undefined {
  for (const entry of lines) {
    const [, { running, waiting }] = entry;
    if (waiting.length > 0 && running < atOncePerOwner) return entry;
  }
  return undefined;
}
