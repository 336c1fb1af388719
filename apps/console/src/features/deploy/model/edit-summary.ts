import {
  type AppResource,
  type AppValues,
  type Built,
  type ConsoleConfig,
  type EditEffect,
  editEffect,
  isSameJson,
  keptReleases,
  publicHostOf,
  publicUrlOf,
  type Release,
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
    hasPlaces: config.engine !== 'process',
  });
  const changes = editChanges(before, after);
  const isRun = effect === 'builds' || effect === 'reuses' || effect === 'moves';
  // What the form does not show may differ in how it is written; nobody has to know.
  if (changes.length === 0 && !isRun) return { changes: '', effect: MESSAGES.edit.nothing };
  const told =
    changes.length === 0 ? MESSAGES.edit.again : MESSAGES.edit.changes(changes.join(', '));
  return {
    changes: [told, ...addressSentences(app, after, config.ingress)].join(' '),
    effect: effectSentence(effect, after, isServing(app, history)),
  };
}

function effectSentence(effect: EditEffect, { source }: AppValues, serves: boolean): string {
  const words = MESSAGES.edit;
  switch (effect) {
    case 'builds':
      return words.run(source.enabled ? words.builds : words.pulls, serves);
    case 'reuses':
      return words.run(words.reuses, serves);
    case 'moves':
      return words.run(words.moves, serves);
    default:
      return words[effect];
  }
}

/** Of an older release only is known which of its variables had the same value as today. */
function keptBuilds(env: AppValues['env'], history: Release[]): Built[] {
  return keptReleases(history)
    .filter(({ madeOf, envMarks }) => {
      return !madeOf.source.enabled || isSameJson(envMarks, history[0]?.envMarks);
    })
    .map(({ madeOf, revision }) => ({ values: { ...madeOf, env }, revision }));
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
