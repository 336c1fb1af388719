import type { AppRef } from '@longshore/client';
import type { LogLine } from '@longshore/contract';
import { useEffect, useMemo, useState } from 'react';
import { useServices } from '../../client/session-context.tsx';
import { errorMessage } from '../../lib/error-message.ts';
import { useObservable } from '../../lib/use-observable.ts';
import { useToast } from '../../ui/toast/toast-context.tsx';
import { createLogFinder, type FoundLines, type LogFinder } from './log-finder.ts';
import {
  createLogReader,
  type LogReader,
  type LogReaderState,
  type ReadLog,
} from './log-reader.ts';
import { MESSAGES } from './messages.ts';

const FLUSH_AFTER_MS = 50;
const SEARCH_AFTER_MS = 200;

export type LogStream = LogReaderState & {
  reader: LogReader;
  isReconnecting: boolean;
  error: string | undefined;
};

/** Streams while the component is mounted. Each log has its own reader. */
export function useLogStream({ projectId, appId, instance, kind }: ReadLog): LogStream {
  const { logs } = useServices();
  const reader = useMemo(
    () =>
      createLogReader({
        log: { projectId, appId, instance, kind },
        logs,
        schedule: (flush) => setTimeout(flush, FLUSH_AFTER_MS),
      }),
    [logs, projectId, appId, instance, kind],
  );
  useEffect(() => reader.stop, [reader]);
  const connection = useFollowedLog({ projectId, appId, instance, kind }, reader.receive);
  return { ...useObservable(reader), reader, ...connection };
}

/** Passes on each new line of an app while the component is mounted. */
function useFollowedLog(
  { projectId, appId, instance, kind }: ReadLog,
  onLine: (line: LogLine) => void,
) {
  const { logs } = useServices();
  const toast = useToast();
  const [isReconnecting, setReconnecting] = useState(false);
  const [error, setError] = useState<string>();

  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    setError(undefined);
    logs
      .follow(
        { projectId, appId, instance, kind },
        { signal, onLine, onState: (state) => setReconnecting(state === 'reconnecting') },
      )
      .catch((error: unknown) => {
        if (signal.aborted) return;
        const message = errorMessage(error);
        setError(message);
        if (message === MESSAGES.noToken) {
          toast({ tone: 'bad', title: MESSAGES.authenticationError, text: message });
        }
      });
    return () => controller.abort();
  }, [logs, toast, onLine, projectId, appId, instance, kind]);

  return { isReconnecting, error };
}

/** Searches what the server keeps of an app's log. */
export function useLogFinder({ projectId, appId }: AppRef): {
  finder: LogFinder;
  found: FoundLines;
} {
  const { logs } = useServices();
  const finder = useMemo(
    () =>
      createLogFinder({
        app: { projectId, appId },
        logs,
        delay(callback) {
          const timer = setTimeout(callback, SEARCH_AFTER_MS);
          return () => clearTimeout(timer);
        },
      }),
    [logs, projectId, appId],
  );
  useEffect(() => finder.stop, [finder]);
  return { finder, found: useObservable(finder) };
}
