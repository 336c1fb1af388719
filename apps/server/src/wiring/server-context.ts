import type { IncomingMessage } from 'node:http';
import type { Clock, Connection } from '@longshore/edge-contract';
import type { Config } from '../config.ts';
import type { ShutdownHooks } from '../lifecycle/shutdown-hooks.ts';
import type { Logger } from '../log/logger.ts';
import type { DailyJob } from '../schedule/daily-job.ts';
import type { Terminal } from '../terminal/terminal.mjs';

/** What the parts of the server share. */
export type ServerContext = Pick<Logger, 'log' | 'requests'> & {
  config: Config;
  /** Who sent a request. */
  readConnection(request: IncomingMessage): Connection;
  /** Connections that only the edge can open. */
  edgeSockets: WeakSet<object>;
  clock: Clock;
  isRoot: boolean;
  version: string;
  /** Each part adds its stop function when it is started. */
  shutdown: ShutdownHooks;
  /** Jobs that one server does once a day, whichever leads. The parts add theirs before the leader starts. */
  dailyJobs: DailyJob[];
  /** A line for the operator. */
  print: Terminal['print'];
  /** Reports a step of the start. */
  step: Terminal['step'];
  logError: (error: unknown) => void;
  /** Aborted when the server is asked to stop while it starts. */
  signal: AbortSignal;
};
