import {
  type AppValues,
  type DeliveryOutcome,
  type Pin,
  pausedText,
  withoutPin,
} from '@longshore/contract';
import { isPushEvent, type Push } from './parse-push.ts';
import { repositoryPath } from './repository-path.ts';
import { isWatched } from './watch-paths.ts';

/** What happens with a delivery, and why, as text for the app's owner. */
export type DeliveryDecision = { outcome: DeliveryOutcome; reason: string };

export type ReceivedDelivery = {
  event: string;
  push: Push | undefined;
  values: Pick<AppValues, 'source' | 'container' | 'instances' | 'watchPaths'>;
  /** Set while the app is pinned by a rollback. */
  pin: Pin | undefined;
  /** Undefined: deploy the pushed commit even if it is already deployed. */
  deployedCommit: string | undefined;
};

const COMMIT = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
const SHORT_COMMIT_LENGTH = 12;
const WITHOUT_FILES =
  'Watch paths were not applied, because the provider did not list all changed files';

/** Decides whether a delivery is a push to the app's repository and ref, and so deploys it. */
export function decideDelivery(delivery: ReceivedDelivery): DeliveryDecision {
  const { event, push, values, pin, deployedCommit } = delivery;
  const { source, instances } = pin === undefined ? values : withoutPin(values, pin);
  if (push === undefined) {
    return ignore(
      isPushEvent(event)
        ? 'The push could not be parsed'
        : `Only push events deploy the app; this is a "${event}" event`,
    );
  }
  if (!source.enabled) return ignore('The app is deployed from an image, not from a repository');
  if (!isSameRepository(push, source.url)) return ignore('The push is for another repository');
  if (COMMIT.test(source.ref)) return ignore('The app is pinned to a commit');
  const name = push.ref.replace(/^refs\/(?:heads|tags)\//, '');
  if (!isDesiredRef(push, name, source.ref)) {
    return ignore(`The push is to ${name}; the app is deployed from ${source.ref}`);
  }
  if (pin !== undefined) return ignore(pausedText(values, pin));
  if (push.commit === null) return ignore(`${name} was deleted`);
  const commit = push.commit.slice(0, SHORT_COMMIT_LENGTH);
  if (push.commit === deployedCommit) return ignore(`Commit ${commit} is already deployed`);
  if (push.skipsDeploy) return ignore(`The message of commit ${commit} contains [skip deploy]`);
  const { watchPaths } = values;
  if (watchPaths && push.files?.every((file) => !isWatched(file, watchPaths))) {
    return ignore('No changed file matches the setting Watch paths');
  }
  const reasons = [
    `Commit ${commit} was pushed to ${name}`,
    ...(instances === 0 ? ['it is deployed when the app wakes'] : []),
    ...(watchPaths && push.files === undefined ? [WITHOUT_FILES] : []),
  ];
  return { outcome: 'deployed', reason: reasons.join('; ') };
}

/** Compares paths only: a host can have different names for SSH and HTTPS. */
function isSameRepository({ urls }: Push, sourceUrl: string): boolean {
  const path = repositoryPath(sourceUrl)?.toLowerCase();
  return path !== undefined && urls.some((url) => repositoryPath(url)?.toLowerCase() === path);
}

/** An app with the ref `main` is deployed from the default branch if there is no `main`. */
function isDesiredRef({ defaultBranch }: Push, name: string, desiredRef: string): boolean {
  return name === desiredRef || (desiredRef === 'main' && name === defaultBranch);
}

function ignore(reason: string): DeliveryDecision {
  return { outcome: 'ignored', reason };
}
