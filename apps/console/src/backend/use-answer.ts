import { useCallback, useEffect, useState } from 'react';
import type { Answer } from './answer.ts';

export type Loaded<Value> =
  | { kind: 'loading' }
  | { kind: 'failed'; message: string }
  | { kind: 'ready'; value: Value };

/**
 * Asks when shown, and again when `ask` is another. What is shown stays until the new answer is there; an answer
 * nobody waits for any more is dropped. Keep `ask` the same with `useCallback`.
 */
export function useAnswer<Value>(ask: (signal: AbortSignal) => Promise<Answer<Value>>) {
  const [state, setState] = useState<Loaded<Value>>({ kind: 'loading' });
  const [isAsking, setAsking] = useState(true);
  const [round, setRound] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each round is asked anew
  useEffect(() => {
    const leaving = new AbortController();
    setAsking(true);
    void ask(leaving.signal).then((answer) => {
      if (leaving.signal.aborted) return;
      setState(answer.ok ? { kind: 'ready', value: answer.value } : failed(answer));
      setAsking(false);
    });
    return () => leaving.abort();
  }, [ask, round]);

  const askAgain = useCallback(() => {
    setState((before) => (before.kind === 'failed' ? { kind: 'loading' } : before));
    setRound((before) => before + 1);
  }, []);

  return { state, isAsking, askAgain };
}

function failed({ message }: { message: string }): { kind: 'failed'; message: string } {
  return { kind: 'failed', message };
}
