import type { LogLine, LogsRequest } from '@longshore/contract';

/** An app, by its project's id and its own. */
export type AppRef = { projectId: string; appId: string };

export type LogsOptions = { signal: AbortSignal; onLine(line: LogLine): void };
export type FollowState = 'connecting' | 'open' | 'reconnecting';

/** `follow`, `previous` and `tailLines` have the defaults of spec §7. */
export type LogsWish = Pick<LogsRequest, 'projectId' | 'appId'> & Partial<LogsRequest>;

export type Logs = {
  /** One response, until it ends or is aborted. Throws the sentences of spec §8. */
  stream(wish: LogsWish, options: LogsOptions): Promise<void>;
  /**
   * Streams until aborted, reconnecting and continuing where it stopped. Throws only what trying again
   * cannot mend: no session, or a request the server refuses.
   */
  follow(
    wish: LogsWish,
    options: LogsOptions & { onState?(state: FollowState): void },
  ): Promise<void>;
};
