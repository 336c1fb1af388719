import { createSemaphore } from '../../concurrency/semaphore.ts';
import type { KubernetesDeps } from './deps.ts';
import type { OwnChanges } from './own-changes.ts';
import type { ProjectCache } from './project-cache.ts';
import { type BuiltRelease, listBuilt, listBuiltIn } from './releases.ts';

type ReleaseCacheDeps = Pick<KubernetesDeps, 'api' | 'owner'> & {
  projects: ProjectCache;
  changes: OwnChanges;
  /** Ends with the engine. */
  closed: AbortSignal;
  now(): number;
};

/** `version`: of the own changes of the app. */
type Entry = { version: number; atMs: number; numbers: number[] };

/** Somebody else may have removed the record of a release. Starting it would fail, and the reconciler looks at all apps this often. */
const MAX_AGE_MS = 9 * 60_000;
/** At the start, and when entries are old, all projects are read. */
const LISTS_AT_ONCE = 20;

/** The numbers of the built releases of apps. Only this server changes them, so they are read again only after its own changes and when they are old. */
export function createReleaseCache(deps: ReleaseCacheDeps) {
  const { projects, changes, now } = deps;
  const entries = new Map<string, Entry>();
  const loading = new Map<string, Promise<void>>();
  const lists = createSemaphore(LISTS_AT_ONCE);

  function keep(appId: string, built: BuiltRelease[], version: number | undefined): void {
    if (version === undefined || version !== changes.version(appId)) return;
    entries.set(appId, { version, atMs: now(), numbers: numbersIn(built) });
  }

  /** One list for all apps of a project. */
  async function load(namespace: string): Promise<void> {
    await lists.run(async () => {
      const versions = projects.appsIn(namespace).map((id) => [id, changes.version(id)] as const);
      const built = await listBuiltIn(namespace, deps, deps.closed);
      for (const [appId, version] of versions) keep(appId, built.get(appId) ?? [], version);
    });
  }

  function loadOnce(namespace: string): Promise<void> {
    const running =
      loading.get(namespace) ?? load(namespace).finally(() => loading.delete(namespace));
    loading.set(namespace, running);
    return running;
  }

  function currentEntry(appId: string): Entry | undefined {
    const entry = entries.get(appId);
    const isCurrent = entry !== undefined && entry.version === changes.version(appId);
    return isCurrent && now() - entry.atMs < MAX_AGE_MS ? entry : undefined;
  }

  return {
    async numbersOf(appId: string, signal: AbortSignal): Promise<number[]> {
      const version = changes.version(appId);
      const known = currentEntry(appId);
      if (known !== undefined) return known.numbers;
      const [only, ...others] = projects.namespacesOf(appId) ?? [];
      const isOld = version !== undefined && (entries.get(appId)?.version ?? version) === version;
      if (isOld && only !== undefined && others.length === 0) {
        // A failure is that of the list below, too, unless that can repair it.
        await loadOnce(only.name).catch(() => {});
        signal.throwIfAborted();
        const loaded = currentEntry(appId);
        if (loaded !== undefined) return loaded.numbers;
      }
      const built = await listBuilt(appId, { ...deps, projects }, signal);
      keep(appId, built, version);
      return numbersIn(built);
    },
    forget: (appId: string) => void entries.delete(appId),
  };
}

function numbersIn(built: BuiltRelease[]): number[] {
  return [...new Set(built.map(({ number }) => number))];
}
