import { parseLogLine } from '@longshore/contract';
import type { Auth } from '../auth/auth.ts';
import { followLogs } from './follow-logs.ts';
import type { Logs } from './logs.ts';
import { type LogsDeps, openLogs } from './open-logs.ts';

export type CreateLogsDeps = LogsDeps & {
  auth: Pick<Auth, 'state' | 'accessToken' | 'refresh'>;
};

export function createLogs(deps: CreateLogsDeps): Logs {
  return {
    async stream(wish, { signal, onLine }) {
      try {
        for await (const line of openLogs(deps, wish, { signal })) onLine(parseLogLine(line));
      } catch (cause) {
        if (!signal.aborted) throw cause;
      }
    },
    follow: (wish, options) => followLogs(deps, wish, options),
  };
}
