import type { AppRef } from '@longshore/client';
import { LogViewport } from './log-viewport.tsx';
import { MESSAGES } from './messages.ts';
import { newestBuild } from './model/log-view.ts';
import { useLogStream } from './use-log-stream.ts';

/** What the build prints, while it prints it. */
export function BuildOutput({ projectId, appId }: AppRef) {
  const { lines } = useLogStream({ projectId, appId });
  const build = newestBuild(lines);
  if (build.length === 0) return null;
  return (
    <div className="border-t border-line">
      <LogViewport label={MESSAGES.buildOutput} lines={build} className="h-72" />
    </div>
  );
}
