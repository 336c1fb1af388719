import type { RequestResult } from '@longshore/client';
import { useCallback, useEffect, useState } from 'react';
import { errorMessage } from '../lib/error-message.ts';
import { errorText } from './error-text.ts';

export type QueryState<Data> =
  | { kind: 'loading' }
  /** `code`: the error code of the server, if it responded with one. */
  | { kind: 'failed'; message: string; code?: string | undefined }
  | { kind: 'ready'; data: Data };

/**
 * Loads when the component is shown and when `load` changes. Data that is already shown stays until the new data
 * arrives; outdated responses are dropped. Keep `load` stable with `useCallback`.
 */
export function useQuery<Data>(load: (signal: AbortSignal) => Promise<RequestResult<Data>>) {
  const [state, setState] = useState<QueryState<Data>>({ kind: 'loading' });
  const [isFetching, setFetching] = useState(true);
  const [reloads, setReloads] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: `reloads` triggers the effect again
  useEffect(() => {
    const controller = new AbortController();
    setFetching(true);
    function finish(next: QueryState<Data>) {
      if (controller.signal.aborted) return;
      setState(next);
      setFetching(false);
    }
    load(controller.signal).then(
      (result) =>
        finish(
          result.ok
            ? { kind: 'ready', data: result.data }
            : { kind: 'failed', message: errorText(result.error), code: result.error.error },
        ),
      (error: unknown) => finish({ kind: 'failed', message: errorMessage(error) }),
    );
    return () => controller.abort();
  }, [load, reloads]);

  const reload = useCallback(() => {
    setState((previous) => (previous.kind === 'failed' ? { kind: 'loading' } : previous));
    setReloads((previous) => previous + 1);
  }, []);

  return { state, isFetching, reload };
}
