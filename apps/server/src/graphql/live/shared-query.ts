import { hash } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import type { GraphqlAnswer } from '../executor.ts';
import type { HasuraError } from '../hasura-error.ts';
import { restMs, retryMs } from './pace.ts';

/** One text for all who read it. */
export type LiveAnswer = { text: string; errors?: HasuraError[] };
export type LiveReader = (answer: LiveAnswer) => void;

export type SharedQuery = {
  /** The reader gets the answer as it is now, and again whenever it has changed. */
  add(reader: LiveReader): void;
  /** Says whether nobody is left. */
  remove(reader: LiveReader): boolean;
  /** What it reads may have changed. */
  touch(): void;
};

export type SharedQueryDeps = {
  ask: () => Promise<GraphqlAnswer>;
  takeTurn: (work: () => Promise<void>) => void;
  clock: Clock;
};

/** `due`: waits for its rest to end or for its turn. `overtaken`: runs, and something changed since it began. */
type State = 'fresh' | 'due' | 'running' | 'overtaken';

const TOUCHED: Record<State, State> = {
  fresh: 'due',
  due: 'due',
  running: 'overtaken',
  overtaken: 'overtaken',
};

/** One execution for all who ask the same. Changes that come while it waits or rests count as one. */
export function createSharedQuery({ ask, takeTurn, clock }: SharedQueryDeps): SharedQuery {
  /** With the digest of what each was given last. The texts themselves are not kept. */
  const readers = new Map<LiveReader, string | undefined>();
  let state: State = 'fresh';
  let restsUntil = 0;
  let failures = 0;
  let rest: unknown;

  function touch(): void {
    const wasFresh = state === 'fresh';
    state = TOUCHED[state];
    if (!wasFresh) return;
    const waitMs = restsUntil - clock.now();
    if (waitMs <= 0) takeTurn(run);
    else rest = clock.setTimeout(() => takeTurn(run), waitMs);
  }

  async function run(): Promise<void> {
    if (readers.size === 0) return;
    state = 'running';
    const begunAt = clock.now();
    const answer = await ask();
    const endedAt = clock.now();
    failures = isPassing(answer) ? failures + 1 : 0;
    restsUntil = endedAt + (failures > 0 ? retryMs(failures) : restMs(endedAt - begunAt));
    if (failures === 0) show(answer);
    const isBehind = failures > 0 || (state as State) === 'overtaken';
    state = 'fresh';
    if (isBehind) touch();
  }

  function show(answer: GraphqlAnswer): void {
    const text = JSON.stringify(answer);
    const digest = hash('sha256', text, 'base64');
    for (const [reader, seen] of readers) {
      if (seen === digest) continue;
      readers.set(reader, digest);
      reader({ text, ...('errors' in answer && { errors: answer.errors }) });
    }
  }

  return {
    touch,
    add(reader) {
      readers.set(reader, undefined);
      touch();
    },
    remove(reader) {
      readers.delete(reader);
      if (readers.size === 0) clock.clearTimeout(rest);
      return readers.size === 0;
    },
  };
}

/** A database that is away is nobody's mistake and comes back: the reader keeps what it has and gets the rest then. */
function isPassing(answer: GraphqlAnswer): boolean {
  return (
    'errors' in answer && answer.errors.some(({ extensions }) => extensions.code === 'unexpected')
  );
}
