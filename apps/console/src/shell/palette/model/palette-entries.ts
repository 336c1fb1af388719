import { isApp, type Resource, ROUTES } from '@longshore/contract';
import type { Command } from '../../../lib/commands.tsx';
import { byAppName, projectsOf } from '../../../lib/resource-lists.ts';
import { MESSAGES } from '../../messages.ts';
import { matchScore } from './match-score.ts';

export type PaletteGroup = keyof typeof MESSAGES.palette.groups;

export type PaletteEntry = {
  /** Identifies it while the list changes. */
  key: string;
  group: PaletteGroup;
  label: string;
  /** The project of an app, to distinguish apps with the same name. */
  detail?: string;
  needsConfirmation?: true;
  act: { kind: 'go'; to: string } | { kind: 'run'; run(): void };
};

/** The user can type to find the others. */
const MAX_SHOWN = 40;

const PAGES: PaletteEntry[] = [
  page(MESSAGES.pages.projects, ROUTES.projects),
  page(MESSAGES.pages.integrations, ROUTES.integrations),
  page(MESSAGES.pages.profile, ROUTES.profile),
  page(MESSAGES.pages.security, ROUTES.security),
];

const OPERATOR_PAGE = page(MESSAGES.pages.operator, ROUTES.operator);

export type PaletteContent = {
  here: Command[];
  preferences: Command[];
  resources: Resource[];
  isOperator: boolean;
};

/** All entries: the commands of the current page first. */
export function paletteEntries(content: PaletteContent): PaletteEntry[] {
  const { here, preferences, resources, isOperator } = content;
  return [
    ...here.map(commandIn('here')),
    ...PAGES,
    ...(isOperator ? [OPERATOR_PAGE] : []),
    ...projectEntries(resources),
    ...appEntries(resources),
    ...preferences.map(commandIn('preferences')),
  ];
}

/** The entries that match the typed text. The group with the best match is first; in a group, the best match is first. */
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
    .slice(0, MAX_SHOWN)
    .map(({ entry }) => entry);
}

const GROUPS: PaletteGroup[] = ['here', 'pages', 'projects', 'applications', 'preferences'];

function groupOrder({ group }: PaletteEntry): number {
  return GROUPS.indexOf(group);
}

function projectEntries(resources: Resource[]): PaletteEntry[] {
  return projectsOf(resources).map(({ id, values }) => ({
    ...goTo(ROUTES.project(id)),
    group: 'projects',
    label: values.name,
  }));
}

function appEntries(resources: Resource[]): PaletteEntry[] {
  const projectNames = new Map(projectsOf(resources).map(({ id, values }) => [id, values.name]));
  return resources
    .filter(isApp)
    .sort(byAppName)
    .map(({ id, values }) => ({
      ...goTo(ROUTES.app(values.projectId, id)),
      group: 'applications',
      label: values.name,
      detail: projectNames.get(values.projectId) ?? '',
    }));
}

function page(label: string, to: string): PaletteEntry {
  return { ...goTo(to), group: 'pages', label };
}

function goTo(to: string): Pick<PaletteEntry, 'key' | 'act'> {
  return { key: to, act: { kind: 'go', to } };
}

function commandIn(group: PaletteGroup): (command: Command) => PaletteEntry {
  return ({ label, run, needsConfirmation }) => ({
    key: `${group} ${label}`,
    group,
    label,
    ...(needsConfirmation && { needsConfirmation }),
    act: { kind: 'run', run },
  });
}
