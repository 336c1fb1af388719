import { createStore, type Observable, type Resources, type Services } from '@longshore/client';
import type { Resource } from '@longshore/contract';

export type ResourcesState =
  | { kind: 'loading' }
  | { kind: 'failed'; message: string }
  | { kind: 'ready'; resources: Resource[] };

export type Mutations = Omit<Resources, 'live'>;

/** The services and data of a signed-in user's dashboard, until it is stopped. */
export type SignedInSession = {
  services: Services;
  /** The user's resources, from one live query that all screens share. */
  resources: Observable<ResourcesState>;
  mutations: Mutations;
  stop(): void;
};

export function startSession(services: Services, userId: string): SignedInSession {
  const rows = createStore<ResourcesState>({ kind: 'loading' });
  const unsubscribe = services.resources.live(userId, {
    next: (resources) => rows.set({ kind: 'ready', resources }),
    error: ({ message }) => {
      if (rows.state().kind !== 'ready') rows.set({ kind: 'failed', message });
    },
  });
  let isStopped = false;

  /** Never resolves after `stop`: the screen that sent the request is unmounted and must not navigate. */
  async function unlessStopped<Result>(request: Promise<Result>): Promise<Result> {
    const result = await request;
    return isStopped ? await new Promise<never>(() => undefined) : result;
  }

  const { createProject, updateProject, createApp, updateApp, deleteResource } = services.resources;
  return {
    services,
    resources: rows,
    mutations: {
      createProject: (values) => unlessStopped(createProject(values)),
      updateProject: (id, values) => unlessStopped(updateProject(id, values)),
      createApp: (values) => unlessStopped(createApp(values).then(waitUntilListed)),
      updateApp: (id, values, updatedAt) => unlessStopped(updateApp(id, values, updatedAt)),
      deleteResource: (id) => unlessStopped(deleteResource(id)),
    },
    stop() {
      isStopped = true;
      unsubscribe();
    },
  };

  /** The page of a new app opens at once, so its row must be in the list. */
  async function waitUntilListed<Result extends { ok: true; id: string } | { ok: false }>(
    result: Result,
  ): Promise<Result> {
    if (result.ok) await untilListed(rows, result.id);
    return result;
  }
}

const LISTED_TIMEOUT_MS = 3_000;

/** Resolves when the live list contains the row, or after a timeout. */
async function untilListed(rows: Observable<ResourcesState>, id: string): Promise<void> {
  if (hasRow(rows.state(), id)) return;
  await new Promise<void>((resolve) => {
    const unsubscribe = rows.subscribe(() => {
      if (hasRow(rows.state(), id)) finish();
    });
    const timer = setTimeout(finish, LISTED_TIMEOUT_MS);
    function finish() {
      clearTimeout(timer);
      unsubscribe();
      resolve();
    }
  });
}

function hasRow(state: ResourcesState, id: string): boolean {
  return state.kind === 'ready' && state.resources.some((row) => row.id === id);
}
