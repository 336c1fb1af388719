import type { AppRef } from '@longshore/client';
import { useEffect, useState } from 'react';
import { useServices } from '../../client/session-context.tsx';
import { errorMessage } from '../../lib/error-message.ts';
import type { NumberedLine } from './model/log-buffer.ts';

export type BuildLog =
  | { kind: 'loading' }
  | { kind: 'failed'; message: string }
  | { kind: 'ready'; lines: NumberedLine[] };

/** The server sends no more lines than this. */
const MAX_BUILD_LINES = 100_000;

/** The complete build log of one release, read once. */
export function useBuildLog({ projectId, appId, release }: AppRef & { release: number }): BuildLog {
  const { logs } = useServices();
  const [log, setLog] = useState<BuildLog>({ kind: 'loading' });
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const lines: NumberedLine[] = [];
    const request = { projectId, appId, release, follow: false, tailLines: MAX_BUILD_LINES };
    logs
      .stream(request, {
        signal,
        onLine: (line) => lines.push({ ...line, number: lines.length + 1 }),
      })
      .then(
        () => setLog({ kind: 'ready', lines }),
        (error: unknown) => {
          if (!signal.aborted) setLog({ kind: 'failed', message: errorMessage(error) });
        },
      );
    return () => controller.abort();
  }, [logs, projectId, appId, release]);
  return log;
}
