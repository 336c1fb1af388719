import { hash } from 'node:crypto';
import { isPassing, type LiveAnswer, liveAnswer } from './live-result.ts';
import { createPacedRun, type PacedRunDeps } from './throttled-run.ts';

export type LiveReader = (answer: LiveAnswer) => void;

export type SharedQuery = {
  /** The reader gets the answer as it is now, and again whenever it has changed. */
  add(reader: LiveReader): void;
  /** Says whether nobody is left. */
  remove(reader: LiveReader): boolean;
  /** What it reads may have changed. */
  touch(): void;
};

export type SharedQueryDeps = Omit<PacedRunDeps, 'run'> & {
  /** The answer as text. Never rejects. */
  ask: () => Promise<string>;
};

/** One execution for all who ask the same. */
export function createSharedQuery({ ask, ...deps }: SharedQueryDeps): SharedQuery {
  /** With the digest of what each was given last. The texts themselves are not kept. */
  const readers = new Map<LiveReader, string | undefined>();
  const paced = createPacedRun({
    ...deps,
    async run() {
      const answer = liveAnswer(await ask());
      if (isPassing(answer)) return 'failed';
      show(answer);
      return 'done';
    },
  });

  function show(answer: LiveAnswer): void {
    const digest = hash('sha256', answer.text, 'base64');
    for (const [reader, seen] of readers) {
      if (seen === digest) continue;
      readers.set(reader, digest);
      reader(answer);
    }
  }

  return {
    touch: paced.touch,
    add(reader) {
      readers.set(reader, undefined);
      paced.touch();
    },
    remove(reader) {
      readers.delete(reader);
      if (readers.size === 0) paced.stop();
      return readers.size === 0;
    },
  };
}
