import type { MutationResult, Services } from '@longshore/client';
import type { AppValues, LogLine } from '@longshore/contract';
import { createSource } from '../lib/observable.ts';
import { accountPort } from './account-backend.ts';
import type {
  CheckDomain,
  LiveBackend,
  LogsPort,
  MutationOutcome,
  ReleasesPort,
  ResourcesState,
} from './backend.ts';
import { connectPort, webhooksPort } from './connect-backend.ts';
import { createHearing } from './hearing.ts';
import { untilRowShown } from './until-row-shown.ts';

/** One subscription for the signed-in user feeds every screen. */
export function createLiveBackend(client: Services, userId: string): LiveBackend {
  const rows = createSource<ResourcesState>({ kind: 'loading' });
  const stop = client.resources.live(userId, {
    next: (resources) => rows.set({ kind: 'ready', resources }),
    error: ({ message }) => {
      if (rows.state().kind !== 'ready') rows.set({ kind: 'failed', message });
    },
  });
  const { heard, end } = createHearing();
  const { createProject, updateProject, createApp, updateApp, deleteResource } = client.resources;
  async function createShownApp(values: AppValues): Promise<MutationOutcome> {
    const outcome = outcomeOf(await createApp(values));
    if (outcome.ok) await untilRowShown(rows, outcome.id);
    return outcome;
  }
  return {
    account: accountPort(client.account),
    resources: {
      state: rows.state,
      subscribe: rows.subscribe,
      createProject: (name) => heard(createProject({ name }).then(outcomeOf)),
      renameProject: ({ id }, name) => heard(updateProject(id, { name }).then(outcomeOf)),
      createApp: (values) => heard(createShownApp(values)),
      updateApp: ({ id, generation }, values) =>
        heard(updateApp(id, values, generation).then(outcomeOf)),
      deleteResource: (id) => heard(deleteResource(id).then(outcomeOf)),
    },
    releases: releasesPort(client),
    connection: client.graphql.connection,
    logs: logsPort(client),
    connect: connectPort(client.connect, { leave: (url) => window.location.assign(url) }),
    webhooks: webhooksPort(client.connect),
    ...(client.domains && { checkDomain: checkWith(client.domains) }),
    stop() {
      end();
      stop();
    },
  };
}

function checkWith({ check }: NonNullable<Services['domains']>): CheckDomain {
  return async (app) => {
    const result = await check(app);
    return result.ok ? result.data : undefined;
  };
}

function releasesPort({ releases }: Services): ReleasesPort {
  return {
    live: (appId, { next, error }) =>
      releases.live(appId, { next, error: ({ message }) => error(message) }),
    redeploy: async (appId) => outcomeOf(await releases.redeploy(appId)),
    rollBack: async (appId, release) => outcomeOf(await releases.rollBack(appId, release)),
  };
}

/** As many as the server hands out. */
const MOST_BUILD_LINES = 100_000;

function logsPort({ logs }: Services): LogsPort {
  return {
    follow(target, { onLine, onReconnecting, onError }, signal) {
      const onState = (state: string) => onReconnecting(state === 'reconnecting');
      logs.follow(target, { signal, onLine, onState }).catch((error: unknown) => {
        if (!signal.aborted) onError(error instanceof Error ? error : new Error(String(error)));
      });
    },
    async readBuild(build, signal) {
      const lines: LogLine[] = [];
      const wish = { ...build, follow: false, tailLines: MOST_BUILD_LINES };
      await logs.stream(wish, { signal, onLine: (line) => lines.push(line) });
      return lines;
    },
  };
}

function outcomeOf(result: MutationResult): MutationOutcome {
  if (result.ok) return result;
  const { error, message } = result.error;
  return { ok: false, message, ...(error === 'conflict' ? { isConflict: true } : {}) };
}
