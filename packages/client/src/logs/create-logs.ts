import { type FollowDeps, followLogs } from './follow-logs.ts';
import type { Logs } from './logs.ts';
import { openLogs } from './open-logs.ts';

export function createLogs(deps: FollowDeps): Logs {
  return {
    async stream(wish, { signal, onLine }) {
      try {
        for await (const line of openLogs(deps, wish, { signal })) onLine(line);
      } catch (cause) {
        if (!signal.aborted) throw cause;
      }
    },
    follow: (wish, options) => followLogs(deps, wish, options),
  };
}
