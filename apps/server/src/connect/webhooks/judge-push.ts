import type { AppValues, DeliveryOutcome } from '@longshore/contract';
import { isPush, type Push } from './push-of.ts';
import { repositoryPath } from './repository-path.ts';

export type Verdict = { outcome: DeliveryOutcome; reason: string };

export type Judged = {
  event: string;
  push: Push | undefined;
  values: Pick<AppValues, 'source' | 'instances'>;
  /** What the app is made of now; undefined when it shall be made again whatever it is. */
  deployedCommit: string | undefined;
};

const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
const SHORT_COMMIT_LENGTH = 12;

/** Whether a delivery is about what the app is made of, in words for its owner. */
export function judgePush({ event, push, values, deployedCommit }: Judged): Verdict {
  const { source, instances } = values;
  if (push === undefined) {
    return ignored(
      isPush(event) ? 'The push could not be read' : `Only pushes deploy, and this is "${event}"`,
    );
  }
  if (!source.enabled) return ignored('The app is made of an image, not of a repository');
  if (!isSameRepository(push, source.url)) return ignored('It is of another repository');
  if (COMMIT.test(source.ref)) return ignored('The app stays at one commit, whatever is pushed');
  const name = push.ref.replace(/^refs\/(?:heads|tags)\//, '');
  if (!isWishedRef(push, name, source.ref)) {
    return ignored(`It is a push to ${name}, and the app follows ${source.ref}`);
  }
  if (push.commit === null) return ignored(`${name} was deleted`);
  const commit = push.commit.slice(0, SHORT_COMMIT_LENGTH);
  if (push.commit === deployedCommit) return ignored(`Commit ${commit} is deployed already`);
  const told = `Commit ${commit} was pushed to ${name}`;
  return {
    outcome: 'deployed',
    reason: instances === 0 ? `${told}; it runs once the app wakes` : told,
  };
}

/** By its path: the same host has other names over ssh and over https. */
function isSameRepository({ urls }: Push, sourceUrl: string): boolean {
  const wished = repositoryPath(sourceUrl)?.toLowerCase();
  return wished !== undefined && urls.some((url) => repositoryPath(url)?.toLowerCase() === wished);
}

/** Where there is no branch called main, an app that asks for it is made of the default branch. */
function isWishedRef({ defaultBranch }: Push, name: string, wished: string): boolean {
  return name === wished || (wished === 'main' && name === defaultBranch);
}

function ignored(reason: string): Verdict {
  return { outcome: 'ignored', reason };
}
