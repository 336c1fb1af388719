/** A row of `resources` was added or changed. */
export type ResourceChange = {
  id: string;
  userId: string;
  chartName: string;
  generation: number;
  /** Whether the desired state changed, not only the status. */
  isNewGeneration: boolean;
  /** Whether the owner asks to retry a failed app at once. */
  isRetryRequested: boolean;
  /** Whether the edge settings of an app changed. That alone is no new generation. */
  isEdgeChange: boolean;
};

/** The payload as the trigger writes it. */
type ResourcePayload = Pick<ResourceChange, 'id' | 'userId' | 'chartName' | 'generation'> & {
  wished: boolean;
  retry: boolean;
  edge: boolean;
};

export const ROW_TABLES = [
  'resources',
  'releases',
  'events',
  'deliveries',
  'commands',
  'usage',
  'traffic',
] as const;

export type RowTable = (typeof ROW_TABLES)[number];

/** Rows of a user in this table were added, changed or removed. Changed resources have a `ResourceChange` each. */
export type RowsChange = { table: RowTable; userId: string };

/** Without a session: all sessions of the user ended. */
export type SessionEnd = { userId: string; sessionId?: string };

/** A server stored lines in a log up to a number, or removed the log: then `last` is 0. */
export type LogChange = { appId: string; log: 'output' | 'access'; last: number };

/** `missed`: notifications may have been lost, so listeners have to read everything again. */
export type Change =
  | { kind: 'resource'; change: ResourceChange }
  | { kind: 'rows'; change: RowsChange }
  | { kind: 'session-end'; end: SessionEnd }
  | { kind: 'log'; change: LogChange }
  | { kind: 'missed' };

export const CHANNELS = ['resources', 'rows', 'sessions', 'logs'] as const;

type Channel = (typeof CHANNELS)[number];

const PARSERS: Record<Channel, (payload: unknown) => Change> = {
  resources: (payload) => ({
    kind: 'resource',
    change: resourceChange(payload as ResourcePayload),
  }),
  rows: (payload) => ({ kind: 'rows', change: payload as RowsChange }),
  logs: (payload) => ({ kind: 'log', change: payload as LogChange }),
  sessions: (payload) => ({ kind: 'session-end', end: payload as SessionEnd }),
};

/** Parses a notification. Only Longshore's triggers write to these channels, so the payload is trusted. */
export function parseNotification(channel: string, payload = '{}'): Change {
  return PARSERS[channel as Channel](JSON.parse(payload));
}

function resourceChange({ wished, retry, edge, ...row }: ResourcePayload): ResourceChange {
  return { ...row, isNewGeneration: wished, isRetryRequested: retry, isEdgeChange: edge };
}
