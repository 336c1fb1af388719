import type { HasuraError, HasuraErrors } from '../hasura-error.ts';

/** One text for all who read it, and what is wrong, if something is. */
export type LiveAnswer = { text: string; errors?: HasuraError[] };

export function liveAnswer(text: string): LiveAnswer {
  if (!text.startsWith('{"errors"')) return { text };
  return { text, ...(JSON.parse(text) as HasuraErrors) };
}

/** A database that is away is nobody's mistake and comes back: readers keep what they have and get the rest then. */
export function isPassing({ errors = [] }: Pick<LiveAnswer, 'errors'>): boolean {
  return errors.some(({ extensions }) => extensions.code === 'unexpected');
}
