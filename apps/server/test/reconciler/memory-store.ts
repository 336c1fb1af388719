import { isDeepStrictEqual } from 'node:util';
import {
  type AppValues,
  chartNameOf,
  customDomainsOf,
  type ObservedState,
  pinRevision,
  progressMessage,
  servingNames,
} from '@longshore/contract';
import { buildAppValues } from '@longshore/testkit';
import type { AppRow, ReconcilerStore } from '../../src/apps/reconciler-store.ts';
import type { Change } from '../../src/db/change.ts';
import { createMemoryReleases } from './memory-releases.ts';
import type { StoredRelease, StoredStatus } from './stored-records.ts';

/** The reconciler's store in memory, with what users see and change. */
export type MemoryStore = ReconcilerStore & {
  addApp(values?: Partial<AppValues>, ownerId?: string): string;
  editApp(appId: string, change: Partial<AppValues>): void;
  /** Restores the values of a release that served. */
  rollBackApp(appId: string, release: number): void;
  /** Requests a new release with the same values. */
  redeployApp(appId: string): void;
  /** Asks to replace the serving instance. */
  restartApp(appId: string): void;
  deleteApp(appId: string): void;
  /** Cancels the release that is in progress, if there is one, as its owner does. */
  cancelBuild(appId: string): void;
  listen(listener: (change: Change) => void): () => void;
  /** Makes changes while the connection that receives notifications is down. */
  loseChanges(makeChanges: () => void): void;
  /** Restores the connection: listeners are notified that they may have missed changes. */
  reportMissed(): void;
  row(appId: string): AppRow;
  rows(): AppRow[];
  statusOf(appId: string): StoredStatus;
  /** Every status of an app, oldest first. */
  statusesOf(appId: string): StoredStatus[];
  releasesOf(appId: string): StoredRelease[];
  observedOf(appId: string): ObservedState;
  /** As the owner of a failed app does. */
  requestRetry(appId: string): void;
};

type StoredApp = AppRow & ObservedState & { statuses: StoredStatus[]; isRolledBack?: boolean };

const OWNER = 'ada';
const NO_STATUS: StoredStatus = { status: undefined, message: undefined, observedGeneration: 0 };

type MemoryStoreDeps = { clock: { now(): number }; newId?: (count: number) => string };

export function createMemoryStore({
  clock,
  newId = (count) => `app-${count}`,
}: MemoryStoreDeps): MemoryStore {
  const apps = new Map<string, StoredApp>();
  const listeners = new Set<(change: Change) => void>();
  const releases = createMemoryReleases({
    clock,
    isKnown: (appId) => apps.has(appId),
    isRolledBack: (appId) => apps.get(appId)?.isRolledBack === true,
  });
  let isDisconnected = false;

  return {
    ...releases,
    addApp(change = {}, ownerId = OWNER) {
      const id = newId(apps.size + 1);
      const values = buildAppValues({ name: `app-${apps.size + 1}`, ...change });
      const app = {
        id,
        ownerId,
        generation: 1,
        deleted: false,
        redeploys: 0,
        // All domains count as proved.
        routedDomains: customDomainsOf(values),
        isRetryRequested: false,
        serving: undefined,
        retry: undefined,
        statuses: [],
      };
      apps.set(id, { ...app, values });
      notify(id, { isNewGeneration: true });
      return id;
    },
    editApp(appId, edit) {
      const values = { ...appOf(appId).values, ...edit };
      // As the database does it: no new generation.
      if (Object.keys(edit).join() === 'edge') {
        apps.set(appId, { ...appOf(appId), values });
        notify(appId, { isNewGeneration: false, isEdgeChange: true });
        return;
      }
      // Hibernating and waking leave the cause of the next release.
      const cause = Object.keys(edit).join() === 'instances' ? {} : { isRolledBack: false };
      change(appId, { values, routedDomains: customDomainsOf(values), ...cause });
    },
    rollBackApp(appId, number) {
      const restored = releases.releasesOf(appId).find((release) => release.number === number);
      if (restored?.revision === undefined) throw new Error(`Release ${number} is not stored`);
      const { build: _, run: __, replicas: ___, processes: ____, ...kept } = appOf(appId).values;
      const values = { ...kept, ...pinRevision(restored.revision, restored.values) };
      change(appId, { values, isRolledBack: true });
    },
    redeployApp: (appId) =>
      change(appId, { redeploys: appOf(appId).redeploys + 1, isRolledBack: false }),
    restartApp(appId) {
      const { serving } = appOf(appId);
      const others = serving?.processes?.flatMap(({ logNames }) => logNames) ?? [];
      const web = serving === undefined ? [] : servingNames(serving);
      change(appId, { replacedInstances: [...web, ...others] });
    },
    deleteApp: (appId) => change(appId, { deleted: true }),
    cancelBuild(appId) {
      if (releases.cancel(appId)) change(appId, {});
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    loseChanges(makeChanges) {
      isDisconnected = true;
      makeChanges();
      isDisconnected = false;
    },
    reportMissed() {
      for (const listener of listeners) listener({ kind: 'missed' });
    },
    row: appOf,
    rows: () => [...apps.values()],
    statusOf: (appId) => appOf(appId).statuses.at(-1) ?? NO_STATUS,
    statusesOf: (appId) => [...appOf(appId).statuses],
    async app(appId) {
      const app = apps.get(appId);
      return app && withWritten(app);
    },
    existingApps: async () => [...apps.values()].filter((app) => !app.deleted).map(withWritten),
    async appIds() {
      const isRemoved = (app: StoredApp) =>
        app.deleted && app.statuses.at(-1)?.observedGeneration === app.generation;
      return [...apps.values()].filter((app) => !isRemoved(app)).map((app) => app.id);
    },
    observedOf(appId) {
      const { serving, retry } = appOf(appId);
      return { serving, retry };
    },
    requestRetry(appId) {
      appOf(appId).isRetryRequested = true;
      notify(appId, { isNewGeneration: false });
    },
    async setServing(appId, serving) {
      const app = apps.get(appId);
      if (app === undefined || isDeepStrictEqual(app.serving, serving)) return;
      app.serving = serving;
      notify(appId, { isNewGeneration: false });
    },
    async report({ appId, generation, status, message, retry }) {
      const app = apps.get(appId);
      if (app === undefined || app.generation !== generation) return;
      const { isRetryRequested, retry: retryBefore } = app;
      app.isRetryRequested = false;
      app.retry = retry && {
        kind: retry.kind,
        at: new Date(clock.now() + retry.inMs).toISOString(),
      };
      const last = app.statuses.at(-1) ?? NO_STATUS;
      const isSame = last.status === status && last.message === message;
      if (isSame && last.observedGeneration === generation) {
        if (isRetryRequested || !isDeepStrictEqual(retryBefore, app.retry)) {
          notify(appId, { isNewGeneration: false });
        }
        return;
      }
      app.statuses.push({ status, message, observedGeneration: generation });
      notify(appId, { isNewGeneration: false });
    },
  };

  function withWritten(app: StoredApp): AppRow {
    const { generation, isRetryRequested, retry, statuses, serving } = app;
    const { status, message, observedGeneration } = statuses.at(-1) ?? NO_STATUS;
    const isReported = status === 'synced' && message === '' && observedGeneration === generation;
    const isSettled = isReported && !isRetryRequested && retry === undefined;
    return { ...app, written: { isSettled, serving } };
  }

  function appOf(appId: string): StoredApp {
    const app = apps.get(appId);
    if (app === undefined) throw new Error(`There is no app ${appId}`);
    return app;
  }

  function change(appId: string, columns: Partial<StoredApp>): void {
    const app = appOf(appId);
    const { observedGeneration } = app.statuses.at(-1) ?? NO_STATUS;
    const waiting = {
      status: 'syncing',
      message: progressMessage('queued'),
      observedGeneration,
    } as const;
    const statuses = [...app.statuses, waiting];
    apps.set(appId, { ...app, ...columns, generation: app.generation + 1, statuses });
    notify(appId, { isNewGeneration: true });
  }

  function notify(
    appId: string,
    { isNewGeneration, isEdgeChange = false }: { isNewGeneration: boolean; isEdgeChange?: boolean },
  ): void {
    if (isDisconnected) return;
    const { ownerId, generation, isRetryRequested } = appOf(appId);
    const chartName = chartNameOf('app');
    const change = {
      id: appId,
      userId: ownerId,
      chartName,
      generation,
      isNewGeneration,
      isRetryRequested,
      isEdgeChange,
    };
    for (const listener of listeners) listener({ kind: 'resource', change });
  }
}
