import {
  type AuthState,
  type BrowserClient,
  type ConnectionState,
  createStore,
  type LiveObserver,
  type MetricsQuery,
  type MutationResult,
  type OperatorService,
  type Services,
  type SignInResult,
  type SignUpRequest,
} from '@longshore/client';
import type {
  AccountUsage,
  AppDomains,
  AppMetrics,
  AppValues,
  AuthError,
  ConsoleConfig,
  IsolationStatus,
  LatestRelease,
  ObservedState,
  Release,
  Resource,
  User,
} from '@longshore/contract';
import type { ConsoleEnvironment } from '../src/client/console-environment.tsx';
import type { ResourcesState } from '../src/client/signed-in-session.ts';
import { failure, networkFailure } from './failure.ts';
import { createFakeAccount } from './fake-account.ts';
import { createFakeCommands } from './fake-commands.ts';
import { createFakeConnect } from './fake-connect.ts';
import { createFakeLogs } from './fake-logs.ts';
import { createFakeWebhooks } from './fake-webhooks.ts';
import { aConfig, anAccountUsage, anApp, aProject, aUser } from './resources.ts';

type FakeAuth = { kind: 'loading' } | { kind: 'signed-out' } | { kind: 'signed-in'; user: User };
type FakeOptions = {
  auth?: FakeAuth;
  resources?: Resource[];
  needsSetupCode?: boolean;
  engine?: ConsoleConfig['engine'];
  isolation?: IsolationStatus;
  operator?: OperatorService;
};
/** The part of the client that the console uses. */
type UsedServices = Pick<
  Services,
  | 'account'
  | 'resources'
  | 'releases'
  | 'deliveries'
  | 'metrics'
  | 'commands'
  | 'logs'
  | 'domains'
  | 'usage'
  | 'isolation'
  | 'operator'
  | 'uploads'
> & {
  graphql: Pick<Services['graphql'], 'connection'>;
  connect: Omit<Services['connect'], 'refs'>;
};

/** A client in memory: mutations change the live list, unless `failRequests` was called. */
export function createFakeClient(options: FakeOptions = {}) {
  const {
    auth = { kind: 'signed-in', user: aUser() },
    resources,
    needsSetupCode,
    engine = aConfig().engine,
    isolation,
    operator,
  } = options;
  const authState = createStore<AuthState>(authStateOf(auth));
  const rows = createStore<ResourcesState>(
    resources === undefined ? { kind: 'loading' } : { kind: 'ready', resources },
  );
  const connection = createStore<ConnectionState>('open');
  const releaseObservers = new Set<LiveObserver<Release[]>>();
  let shownReleases: Release[] | undefined;
  const observedState = createStore<ObservedState>({ serving: undefined, retry: undefined });
  const latestReleases = createStore<LatestRelease[]>([]);
  const restarts: string[] = [];
  const redeploys: string[] = [];
  const clearedCaches: string[] = [];
  const resumes: string[] = [];
  const cancellations: { appId: string; release: number }[] = [];
  const rollbacks: { appId: string; release: number }[] = [];
  const uploads: { appId: string; bytes: number }[] = [];
  let uploadFailure: string | undefined;
  const sent: { appId?: string; values: AppValues }[] = [];
  const credentials: SignUpRequest[] = [];
  const domains: AppDomains = {
    token: 'longshore-0123456789abcdef',
    generatedHost: 'shop-0123456789ab.localhost',
    isAddressEnough: false,
    generatedCertificate: undefined,
    domains: [],
  };
  const secureHosts: string[] = [];
  const domainChecks: AppDomains['domains'][] = [];
  const retriedCertificates: string[] = [];
  const account = createFakeAccount({ auth: authState, failureMessage: () => failureMessage });
  const connect = createFakeConnect();
  const webhooks = createFakeWebhooks();
  const logs = createFakeLogs(() =>
    failureMessage === undefined ? undefined : failure(failureMessage),
  );
  let failureMessage: string | undefined;
  let signInResult: SignInResult = { kind: 'signed-in' };
  let usage = anAccountUsage();
  let metrics: AppMetrics = { usage: [], traffic: [] };
  let metricsFailure: string | undefined;
  const commands = createFakeCommands();
  const metricsQueries: MetricsQuery[] = [];
  let isNetworkBroken = false;
  let heldUntil: Promise<void> | undefined;
  let createdCount = 0;

  function showResources(next: Resource[]): void {
    rows.set({ kind: 'ready', resources: next });
  }
  function current(): Resource[] {
    const state = rows.state();
    return state.kind === 'ready' ? state.resources : [];
  }
  async function mutate(id: string, change: () => Resource[]): Promise<MutationResult> {
    await heldUntil;
    if (isNetworkBroken) return networkFailure();
    if (failureMessage !== undefined) return failure(failureMessage);
    showResources(change());
    return { ok: true, id };
  }
  function newId(): string {
    createdCount += 1;
    return `new-${createdCount}`;
  }
  async function signIn(request: SignUpRequest): Promise<SignInResult> {
    credentials.push(request);
    if (signInResult.kind === 'signed-in') {
      authState.set(authStateOf({ kind: 'signed-in', user: aUser() }));
    }
    return signInResult;
  }

  const used: UsedServices = {
    account: account.service,
    graphql: { connection },
    resources: {
      live(_, observer) {
        const report = () => {
          const state = rows.state();
          if (state.kind === 'ready') observer.next(state.resources);
          if (state.kind === 'failed') observer.error?.(failure(state.message).error);
        };
        report();
        return rows.subscribe(report);
      },
      createProject({ name }) {
        const id = newId();
        return mutate(id, () => [...current(), aProject({ id, name })]);
      },
      updateProject: (id, { name }) =>
        mutate(id, () => current().map((row) => (row.id === id ? aProject({ id, name }) : row))),
      createApp(values) {
        const id = newId();
        sent.push({ values });
        return mutate(id, () => [...current(), anApp({ id, status: 'syncing', ...values })]);
      },
      async updateApp(id, values, updatedAt) {
        const stored = current().find((row) => row.id === id);
        if (stored?.updatedAt !== updatedAt) {
          return failure('The resource has changed in the meantime', 'conflict');
        }
        sent.push({ appId: id, values });
        return await mutate(id, current);
      },
      deleteResource: (id) => mutate(id, () => current().filter((row) => row.id !== id)),
    },
    releases: {
      live({ limit }, shown) {
        const next = (all: Release[]) => shown.next(all.slice(0, limit));
        const observer = { ...shown, next };
        releaseObservers.add(observer);
        if (shownReleases !== undefined) observer.next(shownReleases);
        return () => releaseObservers.delete(observer);
      },
      latest(_, observer) {
        observer.next(latestReleases.state());
        return latestReleases.subscribe(() => observer.next(latestReleases.state()));
      },
      observe(_, observer) {
        observer.next(observedState.state());
        return observedState.subscribe(() => observer.next(observedState.state()));
      },
      async restart(appId) {
        await heldUntil;
        if (failureMessage !== undefined) return failure(failureMessage);
        restarts.push(appId);
        return { ok: true, id: appId };
      },
      async clearBuildCache(appId) {
        if (failureMessage !== undefined) return failure(failureMessage);
        clearedCaches.push(appId);
        return { ok: true, id: appId };
      },
      async redeploy(appId) {
        if (failureMessage !== undefined) return failure(failureMessage);
        redeploys.push(appId);
        return { ok: true, id: appId };
      },
      async resume(appId) {
        if (failureMessage !== undefined) return failure(failureMessage);
        resumes.push(appId);
        return { ok: true, id: appId };
      },
      async cancelBuild(appId, release) {
        if (failureMessage !== undefined) return failure(failureMessage);
        cancellations.push({ appId, release });
        return { ok: true, id: appId };
      },
      async rollBack(appId, release) {
        if (failureMessage !== undefined) return failure(failureMessage);
        rollbacks.push({ appId, release });
        return { ok: true, id: appId };
      },
    },
    logs: logs.service,
    connect: { ...connect.service, ...webhooks.service },
    deliveries: webhooks.liveDeliveries,
    usage: {
      async load() {
        if (failureMessage !== undefined) return failure(failureMessage);
        return { ok: true, data: usage };
      },
    },
    metrics: {
      async load(query) {
        metricsQueries.push(query);
        return metricsFailure === undefined ? { ok: true, data: metrics } : failure(metricsFailure);
      },
    },
    commands: commands.service,
    isolation: {
      status: async () =>
        isolation === undefined ? failure('Unknown') : { ok: true, data: isolation },
    },
    ...(operator && { operator }),
    uploads: {
      async source(appId, archive) {
        if (uploadFailure !== undefined) return failure(uploadFailure);
        uploads.push({ appId, bytes: archive.size });
        return { ok: true, data: undefined };
      },
      async sample(appId) {
        if (uploadFailure !== undefined) return failure(uploadFailure);
        uploads.push({ appId, bytes: 0 });
        return { ok: true, data: undefined };
      },
    },
    domains: {
      list: async () => ({ ok: true, data: structuredClone(domains) }),
      secureHosts: async () => ({ ok: true, data: secureHosts }),
      async check() {
        const checked = domainChecks.shift();
        if (checked === undefined) return failure('Too many checks. Retry in 9 s');
        domains.domains = checked;
        return { ok: true, data: structuredClone(domains) };
      },
      async retryCertificate({ domain }) {
        retriedCertificates.push(domain);
        return { ok: true, data: structuredClone(domains) };
      },
    },
  };
  const services = used as Services;

  const client = {
    auth: {
      state: authState.state,
      subscribe: authState.subscribe,
      signIn,
      signUp: signIn,
      signInBy: (method) =>
        signIn({ email: '', password: method.kind === 'mfa-totp' ? method.otp : '' }),
      async signOut() {
        authState.set(authStateOf({ kind: 'signed-out' }));
        return { ok: true };
      },
    },
    services: async () => services,
  } as BrowserClient;

  const environment: ConsoleEnvironment = {
    config: { ...aConfig(), engine, ...(needsSetupCode === undefined ? {} : { needsSetupCode }) },
    client,
    now: () => Date.now(),
  };

  return {
    environment,
    client,
    services,
    account,
    showResources,
    connection,
    setUsage: (next: AccountUsage) => {
      usage = next;
    },
    setMetrics: (next: AppMetrics) => {
      metrics = next;
    },
    failMetrics: (message: string | undefined) => {
      metricsFailure = message;
    },
    metricsQueries,
    commands,
    connect,
    webhooks,
    sent,
    /** Domains whose certificates were tried again. */
    retriedCertificates,
    /** The hosts with a certificate, of all apps. */
    secureHosts,
    /** The custom domains of the app, and what they are after the next checks. */
    domains,
    domainChecks,
    credentials,
    mails: account.mails,
    newPasswords: account.newPasswords,
    restarts,
    observe: (state: Partial<ObservedState>) =>
      observedState.set({ ...observedState.state(), ...state }),
    showLatestReleases: (releases: LatestRelease[]) => latestReleases.set(releases),
    redeploys,
    clearedCaches,
    resumes,
    cancellations,
    rollbacks,
    /** Uploaded archives; the sample app has no bytes. */
    uploads,
    failUploads: (message: string) => {
      uploadFailure = message;
    },
    logs,
    buildLogs: logs.buildLogs,
    showReleases: (releases: Release[]) => {
      shownReleases = releases;
      for (const observer of releaseObservers) observer.next(releases);
    },
    failReleases: (message: string) => {
      for (const observer of releaseObservers) observer.error?.(failure(message).error);
    },
    signInAs: (user: User) => authState.set(authStateOf({ kind: 'signed-in', user })),
    endSession: (reason?: Partial<AuthError> & { message: string }) =>
      authState.set({
        ...signedOut(),
        ...(reason === undefined ? {} : { error: { ...failure(reason.message).error, ...reason } }),
      }),
    openStreams: logs.openStreams,
    print: logs.print,
    failStreams: logs.failStreams,
    failLoading: (message: string) => rows.set({ kind: 'failed', message }),
    failRequests: (message: string | undefined) => {
      failureMessage = message;
    },
    /** Mutations wait from now on, until the returned function is called. */
    holdMutations: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      heldUntil = promise;
      return resolve;
    },
    /** Mutations get no response from now on. */
    breakNetwork: () => {
      isNetworkBroken = true;
    },
    /** The next sign-ins and sign-ups fail with this message. */
    failSignIn: (message: string) => {
      signInResult = { kind: 'failed', error: failure(message).error };
    },
    /** The result of the next sign-ins and sign-ups. */
    /** A link or a provider returned with a ticket for the second factor. */
    requireCode: () => authState.set({ ...signedOut(), needsMfa: true }),
    setSignInResult: (result: SignInResult) => {
      signInResult = result;
    },
  };
}

export type FakeClient = ReturnType<typeof createFakeClient>;

function authStateOf(auth: FakeAuth): AuthState {
  switch (auth.kind) {
    case 'loading':
      return auth;
    case 'signed-out':
      return signedOut();
    case 'signed-in':
      return { ...auth, accessToken: 'token' };
  }
}

function signedOut() {
  return { kind: 'signed-out' as const, needsEmailVerification: false };
}
