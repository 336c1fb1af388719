import type { Branch, Tag } from '@longshore/contract';
import type { Choice } from '../../../ui/matching-choices.ts';
import { MESSAGES } from '../messages.ts';

/** The default branch, the other branches, the tags. */
export function refChoices(branches: Branch[], tags: Tag[]): Choice[] {
  const isDefault = branches.filter((branch) => branch.isDefault);
  const others = branches.filter((branch) => !branch.isDefault);
  return [
    ...isDefault.map(({ name }) => ({ value: name, note: MESSAGES.refs.isDefault })),
    ...others.map(({ name }) => ({ value: name, note: MESSAGES.refs.branch })),
    ...tags.map(({ name }) => ({ value: name, note: MESSAGES.refs.tag })),
  ];
}
