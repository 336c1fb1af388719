import type {
  KeptLogs,
  LogFilter,
  LogLine,
  LogSearchPage,
  LogSearchRequest,
  LogsRequest,
} from '@longshore/contract';
import type { RequestResult } from '../http/request-result.ts';

/** An app, by its project's id and its own. */
export type AppRef = { projectId: string; appId: string };

export type LogsOptions = { signal: AbortSignal; onLine(line: LogLine): void };
export type FollowState = 'connecting' | 'open' | 'reconnecting';

/** `follow`, `previous` and `tailLines` have the defaults of spec-map 7.6.1. */
export type LogsSelection = AppRef & Partial<LogsRequest>;

export type LogSearch = AppRef & Partial<LogSearchRequest> & { text: string };
export type LogFile = { name: string; content: Blob };
type Abortable = { signal: AbortSignal };

export type Logs = {
  /** One response, until it ends or is aborted. Throws `LogsFailure`. */
  stream(selection: LogsSelection, options: LogsOptions): Promise<void>;
  /**
   * Streams until aborted; reconnects and continues where it stopped. Throws only errors that a retry cannot fix: no
   * session, or a request that the server rejects.
   */
  follow(
    selection: LogsSelection,
    options: LogsOptions & { onState?(state: FollowState): void },
  ): Promise<void>;
  /** One page of the kept lines that contain a text, newest first. */
  search(search: LogSearch, options: Abortable): Promise<RequestResult<LogSearchPage>>;
  /** A file of all kept lines. */
  download(filter: AppRef & LogFilter, options: Abortable): Promise<RequestResult<LogFile>>;
  /** What the server keeps of an app's log. */
  kept(app: AppRef, options: Abortable): Promise<RequestResult<KeptLogs>>;
};
