import { useEffect, useState } from 'react';
import type { BuildTarget } from '../../backend/backend.ts';
import { useLogs } from '../../backend/live-context.tsx';
import { errorMessage } from '../../lib/error-message.ts';
import type { NumberedLine } from './model/log-buffer.ts';

export type BuildLog =
  | { kind: 'loading' }
  | { kind: 'failed'; message: string }
  | { kind: 'ready'; lines: NumberedLine[] };

/** Read once, whole. */
export function useBuildLog({ projectId, appId, release }: BuildTarget): BuildLog {
  const { readBuild } = useLogs();
  const [log, setLog] = useState<BuildLog>({ kind: 'loading' });
  useEffect(() => {
    const ending = new AbortController();
    readBuild({ projectId, appId, release }, ending.signal).then(
      (lines) =>
        setLog({ kind: 'ready', lines: lines.map((line, at) => ({ ...line, number: at + 1 })) }),
      (error: unknown) => {
        if (!ending.signal.aborted) setLog({ kind: 'failed', message: errorMessage(error) });
      },
    );
    return () => ending.abort();
  }, [readBuild, projectId, appId, release]);
  return log;
}
