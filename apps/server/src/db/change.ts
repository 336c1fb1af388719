/** What the trigger on `resources` tells. `wished`: the user's wishes changed, not only the status. */
export type ResourceChange = {
  id: string;
  userId: string;
  chartName: string;
  generation: number;
  wished: boolean;
};

export const ROW_TABLES = ['resources', 'releases', 'events'] as const;

export type RowTable = (typeof ROW_TABLES)[number];

/** Rows of the user's in this table were added or changed, or are gone. Changed resources are told in full. */
export type RowsChange = { table: RowTable; userId: string };

/** Without a session it speaks of all sessions of the user. */
export type SessionEnd = { userId: string; sessionId?: string };

/** `missed` says that changes may have gone by untold, so everything has to be looked at again. */
export type Change =
  | { kind: 'resource'; change: ResourceChange }
  | { kind: 'rows'; change: RowsChange }
  | { kind: 'session-end'; end: SessionEnd }
  | { kind: 'missed' };

export const CHANNELS = ['resources', 'rows', 'sessions'] as const;

type Channel = (typeof CHANNELS)[number];

const READERS: Record<Channel, (told: unknown) => Change> = {
  resources: (told) => ({ kind: 'resource', change: told as ResourceChange }),
  rows: (told) => ({ kind: 'rows', change: told as RowsChange }),
  sessions: (told) => ({ kind: 'session-end', end: told as SessionEnd }),
};

/** What a notice says. Only our own triggers write to these channels, so its form is trusted. */
export function changeOf(channel: string, payload = '{}'): Change {
  return READERS[channel as Channel](JSON.parse(payload));
}
