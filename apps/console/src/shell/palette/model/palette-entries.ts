import { isApp, type Resource, ROUTES } from '@longshore/contract';
import type { Command } from '../../../lib/commands.ts';
import { byAppName, projectsOf } from '../../../lib/resource-lists.ts';
import { MESSAGES } from '../../messages.ts';
import { matchScore } from './match-score.ts';

export type PaletteGroup = keyof typeof MESSAGES.palette.groups;

export type PaletteEntry = {
  group: PaletteGroup;
  label: string;
  /** Where it is, for what is called alike. */
  detail?: string;
  act: { kind: 'go'; to: string } | { kind: 'run'; run(): void };
};

/** A person reads no further; typing finds the rest. */
const MOST_SHOWN = 40;

const PAGES: PaletteEntry[] = [
  page(MESSAGES.pages.projects, ROUTES.projects),
  page(MESSAGES.pages.integrations, ROUTES.integrations),
  page(MESSAGES.pages.profile, ROUTES.profile),
  page(MESSAGES.pages.security, ROUTES.security),
];

export type PaletteOffer = { here: Command[]; preferences: Command[]; resources: Resource[] };

/** Everything one can go to or do: first what can be done here. */
export function paletteEntries({ here, preferences, resources }: PaletteOffer): PaletteEntry[] {
  return [
    ...here.map(commandIn('here')),
    ...PAGES,
    ...projectEntries(resources),
    ...appEntries(resources),
    ...preferences.map(commandIn('preferences')),
  ];
}

/** Those that answer what was typed; the best group first, as its best entry says, and within it the best entry. */
export function foundEntries(entries: PaletteEntry[], typed: string): PaletteEntry[] {
  const found = entries.flatMap((entry) => {
    const score = matchScore(`${entry.label} ${entry.detail ?? ''}`, typed);
    return score === undefined ? [] : [{ entry, score }];
  });
  const best = new Map<PaletteGroup, number>();
  for (const { entry, score } of found)
    best.set(entry.group, Math.max(score, best.get(entry.group) ?? 0));
  return found
    .sort(
      (one, other) =>
        (best.get(other.entry.group) ?? 0) - (best.get(one.entry.group) ?? 0) ||
        groupOrder(one.entry) - groupOrder(other.entry) ||
        other.score - one.score,
    )
    .slice(0, MOST_SHOWN)
    .map(({ entry }) => entry);
}

const GROUPS: PaletteGroup[] = ['here', 'pages', 'projects', 'applications', 'preferences'];

function groupOrder({ group }: PaletteEntry): number {
  return GROUPS.indexOf(group);
}

function projectEntries(resources: Resource[]): PaletteEntry[] {
  return projectsOf(resources).map(({ id, values }) => ({
    group: 'projects',
    label: values.name,
    act: { kind: 'go', to: ROUTES.project(id) },
  }));
}

function appEntries(resources: Resource[]): PaletteEntry[] {
  const projectNames = new Map(projectsOf(resources).map(({ id, values }) => [id, values.name]));
  return resources
    .filter(isApp)
    .sort(byAppName)
    .map(({ id, values }) => ({
      group: 'applications',
      label: values.name,
      detail: projectNames.get(values.projectId) ?? '',
      act: { kind: 'go', to: ROUTES.app(values.projectId, id) },
    }));
}

function page(label: string, to: string): PaletteEntry {
  return { group: 'pages', label, act: { kind: 'go', to } };
}

function commandIn(group: PaletteGroup): (command: Command) => PaletteEntry {
  return ({ label, run }) => ({ group, label, act: { kind: 'run', run } });
}
