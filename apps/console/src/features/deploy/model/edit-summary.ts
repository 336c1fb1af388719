import {
  type AppResource,
  type AppValues,
  type BuiltRelease,
  type ConsoleConfig,
  type EditEffect,
  editEffect,
  isSameJson,
  publicHostOf,
  publicUrlOf,
  type Release,
  retainedReleases,
} from '@longshore/contract';
import { MESSAGES } from '../messages.ts';
import { editChanges } from './edit-changes.ts';

export type EditSummary = {
  /** What is different, and where it will be reached; empty when nothing is. */
  changes: string;
  /** What saving causes. */
  effect: string;
};

type Edit = {
  app: AppResource;
  after: AppValues;
  /** Newest first. */
  history: Release[];
  config: Pick<ConsoleConfig, 'engine' | 'ingress'>;
};

/** Says before an edit is saved what it changes and what that causes, by the rules of the reconciler. */
export function editSummary({ app, after, history, config }: Edit): EditSummary {
  const before = app.values;
  const effect = editEffect(before, after, {
    status: app.status,
    outcome: history[0]?.outcome,
    built: keptBuilds(before.env, history),
    hasProjectNetwork: config.engine !== 'process',
  });
  const changes = editChanges(before, after);
  const isStarted = effect === 'rebuilds' || effect === 'redeploys' || effect === 'restarts';
  // What the form does not show may differ in how it is written; nobody has to know.
  if (changes.length === 0 && !isStarted) return { changes: '', effect: MESSAGES.edit.unchanged };
  const told =
    changes.length === 0 ? MESSAGES.edit.again : MESSAGES.edit.changes(changes.join(', '));
  return {
    changes: [told, ...addressSentences(app, after, config.ingress)].join(' '),
    effect: effectText(effect, after, isServing(app, history)),
  };
}

function effectText(effect: EditEffect, { source }: AppValues, isServing: boolean): string {
  const texts = MESSAGES.edit;
  switch (effect) {
    case 'rebuilds':
      return texts.starts(source.enabled ? texts.rebuilds : texts.pulls, isServing);
    case 'redeploys':
      return texts.starts(texts.redeploys, isServing);
    case 'restarts':
      return texts.starts(texts.restarts, isServing);
    case 'keeps-running':
      return texts.keepsRunning;
    case 'stays-hibernated':
      return texts.staysHibernated;
    case 'unchanged':
      return texts.unchanged;
  }
}

/** Of an older release only is known which of its variables had the same value as today. */
function keptBuilds(env: AppValues['env'], history: Release[]): BuiltRelease[] {
  return retainedReleases(history)
    .filter(({ values, envVersions }) => {
      return !values.source.enabled || isSameJson(envVersions, history[0]?.envVersions);
    })
    .map(({ values, revision }) => ({ values: { ...values, env }, revision }));
}

/** While the newest release does not serve, the one that served last does. */
function isServing({ status }: AppResource, [newest, ...earlier]: Release[]): boolean {
  if (status === 'synced') return true;
  return newest?.outcome !== 'live' && earlier.some(({ outcome }) => outcome === 'live');
}

function addressSentences(
  { id, values: before }: AppResource,
  after: AppValues,
  ingress: ConsoleConfig['ingress'],
): string[] {
  const [from, to] = [before, after].map((values) =>
    publicHostOf({ ...values, id }, ingress.baseDomain),
  );
  if (from === to) return [];
  return [
    to === undefined ? MESSAGES.edit.hidden : MESSAGES.edit.reached(publicUrlOf(ingress, to)),
  ];
}
