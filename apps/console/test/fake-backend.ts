import type { AppValues, DomainCheck, LogLine, Release, Resource } from '@longshore/contract';
import type {
  AuthState,
  Backend,
  ConnectionState,
  LogsObserver,
  MutationOutcome,
  ReleasesObserver,
  RequestOutcome,
  ResourcesState,
  SignInOutcome,
  SignUpRequest,
} from '../src/backend/backend.ts';
import { createSource } from '../src/lib/observable.ts';
import { createFakeAccount } from './fake-account.ts';
import { createFakeConnect } from './fake-connect.ts';
import { createFakeWebhooks } from './fake-webhooks.ts';
import { aConfig, anApp, aProject, aUser } from './resources.ts';

type FakeWish = { auth?: AuthState; resources?: Resource[]; needsSetupCode?: boolean };

/** A backend in memory: mutations change the live list, unless `refuse` says otherwise. */
export function createFakeBackend({ auth = signedIn(), resources, ...wish }: FakeWish = {}) {
  const authState = createSource<AuthState>(auth);
  const rows = createSource<ResourcesState>(
    resources === undefined ? { kind: 'loading' } : { kind: 'ready', resources },
  );
  const connection = createSource<ConnectionState>('open');
  const streams: LogsObserver[] = [];
  const buildLogs = new Map<number, LogLine[]>();
  const histories = new Set<ReleasesObserver>();
  const redeploys: string[] = [];
  const rollbacks: { appId: string; release: number }[] = [];
  const sent: { appId?: string; values: AppValues }[] = [];
  const credentials: SignUpRequest[] = [];
  const mails: string[] = [];
  const newPasswords: string[] = [];
  const domainChecks: DomainCheck[] = [];
  const account = createFakeAccount(() => refusal, authState);
  const connect = createFakeConnect();
  const webhooks = createFakeWebhooks();
  let refusal: string | undefined;
  let signInOutcome: SignInOutcome = { kind: 'signed-in' };
  let cut: string | undefined;
  let held: Promise<void> | undefined;
  let made = 0;

  function show(next: Resource[]): void {
    rows.set({ kind: 'ready', resources: next });
  }
  function current(): Resource[] {
    const state = rows.state();
    return state.kind === 'ready' ? state.resources : [];
  }
  async function mutate(id: string, change: () => Resource[]): Promise<MutationOutcome> {
    await held;
    if (cut !== undefined) throw new Error(cut);
    if (refusal !== undefined) return { ok: false, message: refusal };
    show(change());
    return { ok: true, id };
  }
  function newId(): string {
    made += 1;
    return `new-${made}`;
  }
  async function answer(given: SignUpRequest): Promise<SignInOutcome> {
    credentials.push(given);
    if (signInOutcome.kind === 'signed-in') authState.set(signedIn());
    return signInOutcome;
  }

  function keeping(list: string[]) {
    return async (text: string): Promise<RequestOutcome> => {
      if (refusal !== undefined) return { ok: false, message: refusal };
      list.push(text);
      return { ok: true };
    };
  }

  const backend: Backend = {
    config: aConfig(),
    auth: {
      ...authState,
      signIn: answer,
      signUp: answer,
      needsSetupCode: () => wish.needsSetupCode ?? false,
      signInWithCode: (code) => answer({ email: '', password: code }),
      signInWithSecurityKey: () => answer({ email: '', password: '' }),
      signOut: async () => authState.set({ kind: 'signed-out' }),
      sendVerificationEmail: keeping(mails),
      sendResetLink: keeping(mails),
      changePassword: keeping(newPasswords),
    },
    now: () => Date.now(),
    goLive: async () => ({
      account: account.port,
      resources: {
        ...rows,
        createProject(name) {
          const id = newId();
          return mutate(id, () => [...current(), aProject({ id, name })]);
        },
        renameProject: ({ id }, name) =>
          mutate(id, () => current().map((row) => (row.id === id ? aProject({ id, name }) : row))),
        createApp(values) {
          const id = newId();
          sent.push({ values });
          return mutate(id, () => [...current(), anApp({ id, status: 'syncing', ...values })]);
        },
        async updateApp({ id, generation }, values) {
          const stored = current().find((row) => row.id === id);
          if (stored?.generation !== generation) {
            return { ok: false, message: 'It is at another generation', isConflict: true };
          }
          sent.push({ appId: id, values });
          return await mutate(id, current);
        },
        deleteResource: (id) => mutate(id, () => current().filter((row) => row.id !== id)),
      },
      releases: {
        live(_, observer) {
          histories.add(observer);
          return () => histories.delete(observer);
        },
        async redeploy(appId) {
          if (refusal !== undefined) return { ok: false, message: refusal };
          redeploys.push(appId);
          return { ok: true, id: appId };
        },
        async rollBack(appId, release) {
          if (refusal !== undefined) return { ok: false, message: refusal };
          rollbacks.push({ appId, release });
          return { ok: true, id: appId };
        },
      },
      connection,
      logs: {
        follow(_, observer, signal) {
          streams.push(observer);
          signal.addEventListener('abort', () => streams.splice(streams.indexOf(observer), 1));
        },
        async readBuild({ release }) {
          if (refusal !== undefined) throw new Error(refusal);
          return buildLogs.get(release) ?? [];
        },
      },
      connect: connect.port,
      webhooks: webhooks.port,
      checkDomain: async () => domainChecks.shift(),
      stop: () => undefined,
    }),
  };

  return {
    backend,
    account,
    show,
    connection,
    connect,
    webhooks,
    sent,
    /** What the next checks of a domain will find. */
    domainChecks,
    credentials,
    mails,
    newPasswords,
    redeploys,
    rollbacks,
    buildLogs,
    showReleases: (releases: Release[]) => {
      for (const observer of histories) observer.next(releases);
    },
    failReleases: (message: string) => {
      for (const observer of histories) observer.error(message);
    },
    endSession: (error?: { error?: string; message: string }) =>
      authState.set({ kind: 'signed-out', ...(error ? { error } : {}) }),
    openStreams: () => streams.length,
    print: (line: LogLine) => {
      for (const observer of streams) observer.onLine(line);
    },
    failStreams: (message: string) => {
      for (const observer of streams) observer.onError(new Error(message));
    },
    failLoading: (message: string) => rows.set({ kind: 'failed', message }),
    refuse: (message: string | undefined) => {
      refusal = message;
    },
    /** Mutations wait from now on, until what this answers is called. */
    holdMutations: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      held = promise;
      return resolve;
    },
    /** Mutations throw from now on. */
    cutLine: (message: string) => {
      cut = message;
    },
    answerSignIn: (outcome: SignInOutcome) => {
      signInOutcome = outcome;
    },
  };
}

export type FakeBackend = ReturnType<typeof createFakeBackend>;

function signedIn(): AuthState {
  return { kind: 'signed-in', user: aUser() };
}
