import type { ReleaseCause } from '@longshore/contract';
import { plainLine } from './plain-line.ts';
import type { Push } from './push-of.ts';

const MAX_REF_LENGTH = 100;
const MAX_COMMIT_LENGTH = 64;

/** What the release that comes of a push tells of it. */
export function causeOf({ ref, commit, by = '', subject = '' }: Push): ReleaseCause {
  const name = ref.replace(/^refs\/(?:heads|tags)\//, '');
  return {
    kind: 'push',
    ref: plainLine(name, MAX_REF_LENGTH),
    commit: plainLine(commit ?? '', MAX_COMMIT_LENGTH),
    by,
    subject,
  };
}
