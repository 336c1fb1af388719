import type { HasuraError, HasuraErrors } from '../hasura-error.ts';

/** A response of a live query: its JSON text, shared by all subscribers, and its errors, if it has any. */
export type LiveResult = { text: string; errors?: HasuraError[] };

export function liveResult(text: string): LiveResult {
  if (!text.startsWith('{"errors"')) return { text };
  return { text, ...(JSON.parse(text) as HasuraErrors) };
}

/** Whether a result reports a fault of the server, such as a database that is down. Subscribers keep the last result. */
export function isTransient({ errors = [] }: Pick<LiveResult, 'errors'>): boolean {
  return errors.some(({ extensions }) => extensions.code === 'unexpected');
}
