import { type Release, ROUTES } from '@longshore/contract';
import { NEW_VARIABLE } from '../../../lib/new-variable.ts';
import type { TabLink, TabMark } from '../../../ui/tab-bar.tsx';
import { MESSAGES } from '../messages.ts';
import { attemptedRelease } from './serving-view.ts';

/** Overview is the specified path of an app (spec-map 2.1.12); the others are below it. */
export const APP_TABS = [
  'overview',
  'deployments',
  'logs',
  'metrics',
  'variables',
  'domains',
  'settings',
] as const;

export type AppTab = (typeof APP_TABS)[number];

type TabbedApp = { id: string; status: string; values: { projectId: string } };

export function appTabPath({ id, values }: Pick<TabbedApp, 'id' | 'values'>, tab: AppTab): string {
  const path = ROUTES.app(values.projectId, id);
  return tab === 'overview' ? path : `${path}/${tab}`;
}

/** The tab Variables with rows for these names. Values never are part of an address. */
export function newVariablesPath(app: Pick<TabbedApp, 'id' | 'values'>, names: string[]): string {
  const query = new URLSearchParams(names.map((name) => [NEW_VARIABLE, name]));
  return `${appTabPath(app, 'variables')}?${query}`;
}

/** The tab that a path below that of the app names; undefined if there is none. */
export function appTabOf(rest: string): AppTab | undefined {
  const name = rest === '' ? 'overview' : rest;
  return rest === 'overview' ? undefined : APP_TABS.find((tab) => tab === name);
}

/** Expects the newest release first. */
export function appTabLinks(app: TabbedApp, history: Release[]): TabLink[] {
  return APP_TABS.map((tab) => ({
    label: MESSAGES.tabs[tab],
    to: appTabPath(app, tab),
    mark: tab === 'deployments' ? deploymentsMark(app.status, history) : undefined,
  }));
}

/** Says on every tab that a deployment is in progress, or that the last one failed. */
function deploymentsMark(status: string, history: Release[]): TabMark | undefined {
  const { running, failed } = MESSAGES.deploymentMarks;
  if (status === 'syncing' && history[0]?.outcome === undefined && history.length > 0) {
    return { tone: 'busy', label: running };
  }
  const attempted = attemptedRelease(history);
  const isFailed = attempted?.outcome === 'failed' || attempted?.outcome === undefined;
  return status === 'backoff' && attempted !== undefined && isFailed
    ? { tone: 'bad', label: failed }
    : undefined;
}
