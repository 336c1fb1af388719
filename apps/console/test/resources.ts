import {
  type AccountUsage,
  type AppResource,
  type AppValues,
  type CertificateStatus,
  type ConsoleConfig,
  DEFAULT_TIERS,
  type Delivery,
  type DomainStatus,
  type IntegrationResource,
  type IntegrationValues,
  type IsolationStatus,
  type ProjectResource,
  type Release,
  type Repository,
  type Resource,
  releaseValues,
  type User,
} from '@longshore/contract';

const PROJECT_ID = '0b2f6c1e-2f3a-4c5d-8e9f-0a1b2c3d4e5f';
const APP_ID = '3f2a91c4-5b6d-4e7f-8a9b-0c1d2e3f4a5b';
const AT = '2025-01-01T00:00:00Z';

type RowOverrides = Partial<
  Pick<Resource, 'id' | 'status' | 'message' | 'createdAt' | 'updatedAt'>
>;

export function aProject({
  name = 'Shop',
  ...row
}: RowOverrides & { name?: string } = {}): ProjectResource {
  return { ...aRow(PROJECT_ID, row), kind: 'project', values: { userId: 'u1', name } };
}

export function anApp(overrides: RowOverrides & Partial<AppValues> = {}): AppResource {
  const { id, status = 'synced', message, createdAt, updatedAt, ...values } = overrides;
  const row = { id, status, message, createdAt, updatedAt };
  return { ...aRow(APP_ID, defined(row)), kind: 'app', values: { ...appValues(), ...values } };
}

const GIB = 1024 ** 3;

/** An account with two apps, one of them awake. */
export function anAccountUsage(overrides: Partial<AccountUsage> = {}): AccountUsage {
  return {
    apps: { used: 2, limit: 20 },
    memoryBytes: { used: GIB / 2, limit: 4 * GIB },
    cpus: { used: 0.5, limit: 2 },
    builds: { used: 0, limit: 2, waiting: 0 },
    diskBytes: { used: GIB, limit: 20 * GIB },
    perApp: { memoryBytes: GIB / 2, cpus: 0.5 },
    ...overrides,
  };
}

/** A domain that was just added: DNS has no records yet. */
export function aDomain(overrides: Partial<DomainStatus> = {}): DomainStatus {
  return {
    domain: 'shop.example.com',
    state: 'unproved',
    proof: undefined,
    until: '2025-01-08T12:00:00Z',
    app: undefined,
    checkedAt: AT,
    answers: { txt: [], cname: [], addresses: [] },
    pointsHere: false,
    certificate: undefined,
    ...overrides,
  };
}

export function aCertificate(overrides: Partial<CertificateStatus> = {}): CertificateStatus {
  return {
    state: 'valid',
    validUntil: undefined,
    renewsAt: undefined,
    failure: undefined,
    nextTryAt: undefined,
    ...overrides,
  };
}

/** A live release of `anApp`, deployed in 42 seconds. */
export function aRelease(overrides: Partial<Release> = {}): Release {
  const { env: _, ...values } = releaseValues(appValues());
  return {
    number: 1,
    values,
    envVersions: { GREETING: 1 },
    revision: '0123456789abcdef0123456789abcdef01234567',
    buildReusedFrom: undefined,
    buildInputs: { arguments: [], startCommand: false },
    cause: undefined,
    outcome: 'live',
    message: '',
    evidence: [],
    fixes: [],
    detected: {},
    phases: [],
    startedAt: AT,
    endedAt: '2025-01-01T00:00:42Z',
    ...overrides,
  };
}

export function anIntegration({
  id = 'i1',
  ...values
}: Partial<IntegrationValues> & { id?: string } = {}): IntegrationResource {
  return {
    ...aRow(id, {}),
    kind: 'credential',
    values: { provider: 'gitlab', type: 'ssh', account_name: 'acme', ...values },
  };
}

export function aRepository(overrides: Partial<Repository> = {}): Repository {
  const { full_name = 'acme/shop' } = overrides;
  return {
    id: full_name,
    name: full_name.slice(full_name.lastIndexOf('/') + 1),
    full_name,
    description: '',
    url: `https://gitlab.com/${full_name}.git`,
    sshUrl: `git@gitlab.com:${full_name}.git`,
    defaultBranch: 'main',
    isPrivate: true,
    activeAt: AT,
    ...overrides,
  };
}

export function aDelivery(overrides: Partial<Delivery> = {}): Delivery {
  return {
    id: 'd1',
    at: AT,
    event: 'push',
    ref: 'refs/heads/main',
    commit: '3f2a91c4'.padEnd(40, '0'),
    outcome: 'deployed',
    reason: 'The branch main of acme/shop is deployed.',
    isReplay: false,
    ...overrides,
  };
}

export function aUser(overrides: Partial<User> = {}): User {
  return {
    id: 'u1',
    displayName: 'Ada Lovelace',
    email: 'ada@example.com',
    createdAt: AT,
    isAnonymous: false,
    locale: 'en',
    roles: ['user', 'me'],
    defaultRole: 'user',
    avatarUrl: '',
    emailVerified: true,
    phoneNumberVerified: false,
    metadata: null,
    ...overrides,
  };
}

export function aConfig(): ConsoleConfig {
  return {
    services: {
      auth: '/v1/auth',
      graphql: '/v1/graphql',
      storage: '/v1/storage',
      functions: '/v1/functions',
      connect: '/v1/connect',
      logs: '/v1/logs',
      apps: '/v1/apps',
    },
    docsUrl: '/docs',
    ingress: { scheme: 'http', port: 8080, baseDomain: 'localhost', publicIp: '203.0.113.7' },
    engine: 'process',
    hasProjectNetwork: false,
    allowLocalSources: false,
    tiers: [...DEFAULT_TIERS],
    providers: { github: false, gitlab: false },
    integrations: {
      github: { oauth: false, url: 'https://github.com' },
      gitlab: { oauth: true, url: 'https://gitlab.com' },
    },
  };
}

function aRow(defaultId: string, overrides: RowOverrides) {
  return {
    id: defaultId,
    userId: 'u1',
    chartVersion: '0.0',
    status: '',
    message: '',
    createdAt: AT,
    updatedAt: AT,
    deleted: false,
    ...overrides,
  };
}

function appValues(): AppValues {
  return {
    name: 'shop',
    projectId: PROJECT_ID,
    resourceTier: 't1',
    ports: [{ number: 3000, expose: true }],
    publicAccess: { enabled: true, domain: 'auto', baseDomain: 'localhost' },
    container: { image: 'nginx:latest', updatePolicy: 'Always', pullSecretName: '' },
    source: { enabled: true, url: 'https://github.com/acme/shop.git', ref: 'main', secretName: '' },
    env: { GREETING: 'hello' },
    instances: 1,
  };
}

function defined(row: Record<string, string | undefined>): RowOverrides {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined));
}

/** Of a server that cannot isolate apps, as the first account sees it. */
export function anIsolationStatus(changes: Partial<IsolationStatus> = {}): IsolationStatus {
  return {
    missing: ['bwrap is missing: install the package bubblewrap.'],
    whoMayDeploy: 'operators',
    mayDeploy: true,
    isOperator: true,
    installCommand: 'apt-get install bubblewrap',
    ...changes,
  };
}
