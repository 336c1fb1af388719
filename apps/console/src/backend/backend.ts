import type {
  AppResource,
  AppValues,
  ConsoleConfig,
  DomainCheck,
  LogLine,
  ProjectResource,
  Release,
  Resource,
  User,
} from '@longshore/contract';
import type { Observable } from '../lib/observable.ts';
import type { AccountPort } from './account-port.ts';
import type { ConnectPort } from './connect-port.ts';
import type { WebhooksPort } from './webhooks-port.ts';

export type AuthState =
  | { kind: 'loading' }
  | { kind: 'signed-out'; error?: { error?: string; message: string } }
  | { kind: 'signed-in'; user: User };

export type SignInOutcome =
  | { kind: 'signed-in' }
  | { kind: 'needs-email-verification' }
  /** The password was right; an authenticator app is asked next. */
  | { kind: 'needs-code' }
  | { kind: 'failed'; message: string };

export type RequestOutcome = { ok: true } | { ok: false; message: string };

export type Credentials = { email: string; password: string };

export type SignUpRequest = Credentials & { setupCode?: string };

export type AuthPort = Observable<AuthState> & {
  signIn(credentials: Credentials): Promise<SignInOutcome>;
  signUp(request: SignUpRequest): Promise<SignInOutcome>;
  /** Whether nobody has an account here yet, and the first takes the code from the terminal. */
  needsSetupCode(): boolean;
  /** Takes the code of the authenticator app, after a password that needed one. */
  signInWithCode(code: string): Promise<SignInOutcome>;
  /** The browser offers the keys it has. */
  signInWithSecurityKey(): Promise<SignInOutcome>;
  signOut(): Promise<void>;
  sendVerificationEmail(email: string): Promise<RequestOutcome>;
  sendResetLink(email: string): Promise<RequestOutcome>;
  changePassword(newPassword: string): Promise<RequestOutcome>;
};

export type ResourcesState =
  | { kind: 'loading' }
  | { kind: 'failed'; message: string }
  | { kind: 'ready'; resources: Resource[] };

/** A conflict: somebody else changed the resource since it was read. */
export type MutationOutcome =
  | { ok: true; id: string }
  | { ok: false; message: string; isConflict?: true };

export type ResourcesPort = Observable<ResourcesState> & {
  createProject(name: string): Promise<MutationOutcome>;
  renameProject(project: ProjectResource, name: string): Promise<MutationOutcome>;
  createApp(values: AppValues): Promise<MutationOutcome>;
  /** `seen` is the app that the change was made from. */
  updateApp(seen: AppResource, values: AppValues): Promise<MutationOutcome>;
  deleteResource(id: string): Promise<MutationOutcome>;
};

export type ReleasesObserver = {
  next(releases: Release[]): void;
  error(message: string): void;
};

export type ReleasesPort = {
  /** The newest releases of an app, now and after every change. Answers how to stop. */
  live(appId: string, observer: ReleasesObserver): () => void;
  redeploy(appId: string): Promise<MutationOutcome>;
  rollBack(appId: string, release: number): Promise<MutationOutcome>;
};

export type ConnectionState = 'connecting' | 'open' | 'reconnecting' | 'closed';

export type LogsTarget = { projectId: string; appId: string };
export type LogsObserver = {
  onLine(line: LogLine): void;
  /** The stream broke and begins again. */
  onReconnecting(isReconnecting: boolean): void;
  onError(error: Error): void;
};

export type BuildTarget = LogsTarget & { release: number };

export type LogsPort = {
  /** Streams until the signal says so; a broken stream begins again by itself. */
  follow(target: LogsTarget, observer: LogsObserver, signal: AbortSignal): void;
  /** What the build of one release printed. Rejects with a sentence. */
  readBuild(build: BuildTarget, signal: AbortSignal): Promise<LogLine[]>;
};

/** Undefined: it could not be found out. */
export type CheckDomain = (app: LogsTarget) => Promise<DomainCheck | undefined>;

/** What a signed-in person needs, until stopped. */
export type LiveBackend = {
  account: AccountPort;
  resources: ResourcesPort;
  releases: ReleasesPort;
  connection: Observable<ConnectionState>;
  logs: LogsPort;
  connect: ConnectPort;
  webhooks: WebhooksPort;
  /** Absent where nobody checks custom domains. */
  checkDomain?: CheckDomain;
  stop(): void;
};

/** Everything the console asks of the outside. One implementation talks to the client, one is a fake. */
export type Backend = {
  config: ConsoleConfig;
  auth: AuthPort;
  /** The server's time: what it stamps is compared with this. */
  now(): number;
  /** Rejects when what it needs cannot be loaded. */
  goLive(userId: string): Promise<LiveBackend>;
};
