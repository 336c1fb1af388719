import { useEffect, useMemo, useState } from 'react';
import type { LogsTarget } from '../../backend/backend.ts';
import { useLogs } from '../../backend/live-context.tsx';
import { useObservable } from '../../lib/use-observable.ts';
import { useToast } from '../../ui/toast/toast-context.tsx';
import { MESSAGES } from './messages.ts';
import { createLogBuffer, type NumberedLine } from './model/log-buffer.ts';

const FLUSH_AFTER_MS = 50;

export type LogStream = {
  lines: NumberedLine[];
  isReconnecting: boolean;
  error: string | undefined;
};

/** Streams while the component is shown; each app has a buffer of its own. */
export function useLogStream({ projectId, appId }: LogsTarget): LogStream {
  const logs = useLogs();
  const toast = useToast();
  const [isReconnecting, setReconnecting] = useState(false);
  const [error, setError] = useState<string>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another app begins with an empty buffer
  const buffer = useMemo(
    () => createLogBuffer((flush) => setTimeout(flush, FLUSH_AFTER_MS)),
    [projectId, appId],
  );

  useEffect(() => {
    const ending = new AbortController();
    setError(undefined);
    logs.follow(
      { projectId, appId },
      {
        onLine: buffer.append,
        onReconnecting: setReconnecting,
        onError({ message }) {
          setError(message);
          if (message === MESSAGES.noToken) {
            toast({ tone: 'bad', title: MESSAGES.authenticationError, text: message });
          }
        },
      },
      ending.signal,
    );
    return () => ending.abort();
  }, [logs, toast, buffer, projectId, appId]);

  return { lines: useObservable(buffer), isReconnecting, error };
}
