import type { AppRef } from '@longshore/client';
import { useEffect, useState } from 'react';
import { useServices } from '../../client/session-context.tsx';
import { errorMessage } from '../../lib/error-message.ts';
import { LogViewport } from './log-viewport.tsx';
import { MESSAGES } from './messages.ts';
import {
  appendLines,
  type LineList,
  NO_LINES,
  type NumberedLine,
  numberedLine,
} from './model/line-list.ts';

type CommandOutputProps = AppRef & {
  command: number;
  /** Whether more lines may come. */
  isActive: boolean;
};

const FLUSH_AFTER_MS = 50;

/** The output of a command, live while it runs. */
export function CommandOutput(props: CommandOutputProps) {
  const { lines, error } = useCommandOutput(props);
  if (error !== undefined) {
    return (
      <p role="alert" className="text-bad">
        {error}
      </p>
    );
  }
  return (
    <div className="overflow-hidden rounded-box border border-line bg-log-page">
      {lines.length === 0 ? (
        <p className="p-4 text-muted">{MESSAGES.waiting}</p>
      ) : (
        <LogViewport label={MESSAGES.commandOutput(props.command)} lines={lines} className="h-72" />
      )}
    </div>
  );
}

function useCommandOutput({ projectId, appId, command, isActive }: CommandOutputProps) {
  const { logs } = useServices();
  const [lines, setLines] = useState<LineList>(NO_LINES);
  const [error, setError] = useState<string>();
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const names = new Map<string, string>();
    const received: NumberedLine[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    const show = () => {
      timer = undefined;
      if (!signal.aborted) setLines(appendLines(NO_LINES, received));
    };
    const options = {
      signal,
      onLine(line: Parameters<typeof numberedLine>[0]) {
        received.push(numberedLine(line, received.length, names));
        timer ??= setTimeout(show, FLUSH_AFTER_MS);
      },
    };
    const selection = { projectId, appId, command, after: 0 };
    const reading = isActive
      ? logs.follow(selection, options)
      : logs.stream({ ...selection, follow: false }, options);
    reading.then(show, (failure: unknown) => {
      if (!signal.aborted) setError(errorMessage(failure));
    });
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [logs, projectId, appId, command, isActive]);
  return { lines, error };
}
