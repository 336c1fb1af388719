import type { Branch, Tag } from '@longshore/contract';
import type { Choice } from '../../../ui/matching-choices.ts';

/** The default branch, the other branches, the tags. */
export function refChoices(branches: Branch[], tags: Tag[]): Choice[] {
  const isDefault = branches.filter((branch) => branch.isDefault);
  const others = branches.filter((branch) => !branch.isDefault);
  return [
    ...isDefault.map(({ name }) => ({ value: name, note: 'default branch' })),
    ...others.map(({ name }) => ({ value: name, note: 'branch' })),
    ...tags.map(({ name }) => ({ value: name, note: 'tag' })),
  ];
}
