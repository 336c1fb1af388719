import type { ReleaseActor, ReleaseCause } from '@longshore/contract';
import { shortRevision } from '../../../lib/short-revision.ts';
import { MESSAGES } from '../messages.ts';

/** Who or what caused a release, to whoever looks at it. Of those from before it was kept nothing is claimed. */
export function whoOf(cause: ReleaseCause | undefined, viewerId: string): string | undefined {
  switch (cause?.kind) {
    case undefined:
      return undefined;
    case 'edit':
      return MESSAGES.by(nameOf(cause.person, viewerId));
    case 'rollback':
      return MESSAGES.rolledBackBy(nameOf(cause.person, viewerId), cause.to);
    case 'push':
      return pushText(cause);
  }
}

function nameOf(person: ReleaseActor | undefined, viewerId: string): string {
  if (person === undefined) return MESSAGES.operator;
  const name = person.userId === viewerId ? MESSAGES.you : person.name || MESSAGES.otherUser;
  return person.token === undefined ? name : MESSAGES.withToken(name, person.token);
}

function pushText({ ref, commit, by, subject }: ReleaseCause & { kind: 'push' }): string {
  const what = [shortRevision(commit), subject].filter((text) => text !== '').join(' ');
  const pushed = MESSAGES.push(ref, by);
  return what === '' ? pushed : `${pushed} · ${what}`;
}
