import { useCallback, useEffect, useState } from 'react';
import type { AccountAnswer } from '../../backend/account-port.ts';

export type ListState<Row> =
  | { kind: 'loading' }
  | { kind: 'failed'; message: string }
  | { kind: 'ready'; rows: Row[] };

export type List<Row> = { state: ListState<Row>; reload(): Promise<void> };

/** Asked for once it is shown, and again after a change. What is shown stays until then. */
export function useList<Row>(ask: () => Promise<AccountAnswer<Row[]>>): List<Row> {
  const [state, setState] = useState<ListState<Row>>({ kind: 'loading' });
  const reload = useCallback(async () => {
    const answer = await ask();
    setState(
      answer.ok
        ? { kind: 'ready', rows: answer.value }
        : { kind: 'failed', message: answer.message },
    );
  }, [ask]);
  useEffect(() => void reload(), [reload]);
  return { state, reload };
}
