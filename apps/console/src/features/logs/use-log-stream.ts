import type { AppRef } from '@longshore/client';
import { useEffect, useMemo, useState } from 'react';
import { useServices } from '../../client/session-context.tsx';
import { errorMessage } from '../../lib/error-message.ts';
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

/** `instance`: only the lines of the instance with this log name. */
type StreamedLog = AppRef & { instance?: string };

/** Streams while the component is mounted. Each log has its own buffer. */
export function useLogStream({ projectId, appId, instance }: StreamedLog): LogStream {
  const { logs } = useServices();
  const toast = useToast();
  const [isReconnecting, setReconnecting] = useState(false);
  const [error, setError] = useState<string>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another log starts with an empty buffer
  const buffer = useMemo(
    () => createLogBuffer((flush) => setTimeout(flush, FLUSH_AFTER_MS)),
    [projectId, appId, instance],
  );

  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    setError(undefined);
    logs
      .follow(
        { projectId, appId, instance },
        {
          signal,
          onLine: buffer.append,
          onState: (state) => setReconnecting(state === 'reconnecting'),
        },
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
  }, [logs, toast, buffer, projectId, appId, instance]);

  return { lines: useObservable(buffer), isReconnecting, error };
}
