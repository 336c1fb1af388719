import { availableParallelism, totalmem } from 'node:os';
import { resolve } from 'node:path';
import { type Capacity, PASSWORD_MIN_LENGTH, type TierTable } from '@longshore/contract';
import type { Quota } from './apps/quota.ts';
import type { SignUpRule } from './auth/sign-up/sign-up-rule.ts';
import type { RegistrySettings } from './build/buildkit/buildkitd-config.ts';
import type { CertificateFiles } from './certificates/operator-certificate.ts';
import { type StateSettings, stateSettings } from './config-state.ts';
import {
  accessSecret,
  acmeSettings,
  appNetwork,
  ConfigProblem,
  certificateFiles,
  dnsServers,
  hostName,
  httpOrigin,
  httpOrigins,
  httpUrl,
  imageName,
  ipAddress,
  linkTarget,
  namespacePrefix,
  networks,
  ownRegistry,
  postgresUrl,
  quotaLimit,
  type RemoteEdges,
  registryAccount,
  registryMirror,
  remoteEdges,
  s3Settings,
  signUpRule,
  smtpUrl,
  tiers,
  withoutTrailingSlash,
} from './config-values.ts';
import { VARIABLES, type VariableName } from './config-variables.ts';
import { consoleHostOf, sharedWithApps } from './edge/console-host.ts';
import { buildsOn } from './engines/build-limits.ts';
import { isLoopback } from './http/host-check.ts';
import { Secret } from './secrets/secret.ts';

export type EngineKind = 'auto' | 'process' | 'docker' | 'kubernetes';

export type Config = StateSettings & {
  host: string;
  port: number;
  publicUrl: string;
  /** The host at which the edge serves the console. Undefined: browsers use the console's own port. */
  consoleHost: string | undefined;
  /** Whether browsers may open the console over HTTPS only. */
  hsts: boolean;
  dataDir: string;
  /** Undefined: embedded Postgres. */
  databaseUrl: string | undefined;
  engine: EngineKind;
  dockerSocket: string;
  /** Access to the cluster. Undefined: that of the pod in which this server runs. */
  kubeconfig: string | undefined;
  /** The start of the names of all namespaces of ours. */
  namespacePrefix: string;
  nodeImage: string;
  /** BuildKit, for builds on Docker. */
  builderImage: string;
  builderStorageClass: string | undefined;
  /** Registries of the operator that builds may read. */
  registries: RegistrySettings;
  /** The address that the edge listens on. */
  edgeHost: string;
  ingressPort: number;
  /** Undefined: no HTTPS. */
  httpsPort: number | undefined;
  /** Addresses and networks of proxies in front of the console whose X-Forwarded-* headers are trusted. */
  trustedProxies: string[];
  /** The same in front of the edge. Edges in other pods have their own: apps connect to them directly. */
  edgeTrustedProxies: string[];
  /** Whether those proxies send PROXY protocol. */
  proxyProtocol: boolean;
  /** `service`: another service of the machine runs the edge; the server waits for it. */
  edge: 'auto' | 'service';
  /** Edges in other pods. Undefined: an edge on this machine. */
  remoteEdges: RemoteEdges | undefined;
  /** Addresses of sandboxed programs. */
  network: string;
  /** Private networks that sandboxed programs may reach. */
  allowedNetworks: string[];
  baseDomain: string;
  publicIp: string;
  /** Name servers for domain checks: addresses with an optional port. Empty: the system's. */
  dnsServers: string[];
  /** Undefined: no certificates are ordered. */
  acme: ReturnType<typeof acmeSettings>;
  /** Undefined: files are stored in the data directory. */
  s3: ReturnType<typeof s3Settings>;
  /** The operator's own certificate. */
  tls: CertificateFiles | undefined;
  passwordMinLength: number;
  accessTokenTtlSeconds: number;
  /** Undefined: mails are written to the outbox. */
  smtpUrl: Secret | undefined;
  mailFrom: string;
  requireVerifiedEmail: boolean;
  smsWebhook: string | undefined;
  anonymousSignIn: boolean;
  /** Undefined: operators choose it in the console. */
  signUp: SignUpRule | undefined;
  rateLimits: boolean;
  allowedRedirects: string[];
  /** Pages of these origins may use the services, besides the console. */
  allowedOrigins: string[];
  /** URLs of GitHub and GitLab, whether or not an OAuth client is configured. */
  gitHosts: Record<'github' | 'gitlab', string>;
  /** The registry of images without a host in their name. */
  dockerHubUrl: string;
  /** OAuth clients. A provider without an entry is disabled. */
  providers: Partial<Record<'github' | 'gitlab' | 'google', ProviderClient>>;
  allowLocalSources: boolean;
  /** Whether every account may deploy on an engine that cannot isolate apps. */
  trustEverybody: boolean;
  maxFileBytes: number;
  filesQuotaBytes: number;
  /** Per user. The operator has no limits. */
  quota: Quota;
  /** The sizes of apps. */
  tiers: TierTable;
  /** How many builds of all users run at once, and what each of them may use. */
  builds: ReturnType<typeof buildsOn>;
  /** Undefined: no admin access over GraphQL. */
  adminSecret: Secret | undefined;
  /** Undefined: there is nothing at /metrics. */
  metricsToken: Secret | undefined;
  functionsTimeoutMs: number;
  functionsMemoryMb: number;
  /** Variables that are not Longshore's own; functions can read them. */
  otherVariables: Record<string, string>;
  docsUrl: string;
  /** Undefined: the default of the log format. */
  logLevel: string | undefined;
};

/** The OAuth client of this installation at a provider. */
export type ProviderClient = { url: string; clientId: string; clientSecret: Secret };

type Environment = Record<string, string | undefined>;

type ProviderPrefix = 'LONGSHORE_GITHUB' | 'LONGSHORE_GITLAB' | 'LONGSHORE_GOOGLE';

const MIB = 1024 ** 2;

/** The nodes of a cluster run apps, not the machine of the server: what quotas and builds assume of a cluster. */
const SMALL_CLUSTER: Capacity = { cpus: 8, memoryBytes: 16 * 1024 * MIB };

/** The cluster reports what does not fit on a node. */
const ANY_NODE: Capacity = {
  cpus: Number.MAX_SAFE_INTEGER,
  memoryBytes: Number.MAX_SAFE_INTEGER,
};

/** In a container, what the container may use. */
function thisMachine(): Capacity {
  const constrained = process.constrainedMemory() || Number.POSITIVE_INFINITY;
  return { cpus: availableParallelism(), memoryBytes: Math.min(totalmem(), constrained) };
}

export function readConfig(
  environment: Environment,
  workingDir: string,
  serverMachine: Capacity = thisMachine(),
): Config {
  const text = (name: VariableName) => {
    const fallback = VARIABLES.find((variable) => variable.name === name)?.fallback ?? '';
    return environment[name]?.trim() || fallback;
  };
  const integer = (name: VariableName, min: number, max: number) => {
    const value = text(name);
    const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
    if (number >= min && number <= max) return number;
    throw new ConfigProblem(
      name,
      `must be a whole number between ${min} and ${max}, not "${value}".`,
    );
  };
  const limit = (name: VariableName) => quotaLimit(name, text(name), true);
  const isCluster = text('LONGSHORE_ENGINE') === 'kubernetes';
  const machine = isCluster ? SMALL_CLUSTER : serverMachine;
  const isSet = (name: VariableName) => text(name) !== '';
  const oneOf = <T extends string>(name: VariableName, choices: readonly T[]): T => {
    const choice = choices.find((candidate) => candidate === text(name));
    if (choice !== undefined) return choice;
    throw new ConfigProblem(name, `must be ${choices.join(' or ')}, not "${text(name)}".`);
  };

  const provider = (name: string, prefix: ProviderPrefix) => {
    const url = httpUrl(`${prefix}_URL`, text(`${prefix}_URL`));
    const [clientId, secret] = [text(`${prefix}_CLIENT_ID`), text(`${prefix}_CLIENT_SECRET`)];
    if (clientId === '' && secret === '') return {};
    if (clientId === '')
      throw new ConfigProblem(
        `${prefix}_CLIENT_ID`,
        `must be set together with ${prefix}_CLIENT_SECRET.`,
      );
    if (secret === '')
      throw new ConfigProblem(
        `${prefix}_CLIENT_SECRET`,
        `must be set together with ${prefix}_CLIENT_ID.`,
      );
    return {
      [name]: { url: withoutTrailingSlash(url), clientId, clientSecret: new Secret(secret) },
    };
  };

  // Only checked here: the start script reads them before there is a configuration.
  oneOf('LONGSHORE_LOG_FORMAT', ['auto', 'json', 'text']);
  oneOf('LONGSHORE_INSTALL_TOOLS', ['true', 'false']);
  const port = integer('LONGSHORE_PORT', 1, 65_535);
  const ingressPort = integer('LONGSHORE_INGRESS_PORT', 1, 65_535);
  if (ingressPort === port) {
    throw new ConfigProblem('LONGSHORE_INGRESS_PORT', 'must differ from LONGSHORE_PORT.');
  }
  const httpsPort = isSet('LONGSHORE_HTTPS_PORT')
    ? integer('LONGSHORE_HTTPS_PORT', 1, 65_535)
    : undefined;
  if (httpsPort === port || httpsPort === ingressPort) {
    const other = httpsPort === port ? 'LONGSHORE_PORT' : 'LONGSHORE_INGRESS_PORT';
    throw new ConfigProblem('LONGSHORE_HTTPS_PORT', `must differ from ${other}.`);
  }
  const proxyProtocol = oneOf('LONGSHORE_PROXY_PROTOCOL', ['true', 'false']) === 'true';
  const edges = remoteEdges(text('LONGSHORE_EDGE_ADDRESS'), text('LONGSHORE_EDGE_KEY'));
  const edgeProxies = edges ? 'LONGSHORE_EDGE_TRUSTED_PROXY' : 'LONGSHORE_TRUSTED_PROXY';
  if (proxyProtocol && !isSet(edgeProxies)) {
    throw new ConfigProblem('LONGSHORE_PROXY_PROTOCOL', `needs ${edgeProxies}.`);
  }
  if (edges === undefined && isSet('LONGSHORE_EDGE_TRUSTED_PROXY')) {
    throw new ConfigProblem('LONGSHORE_EDGE_TRUSTED_PROXY', 'needs LONGSHORE_EDGE_ADDRESS.');
  }
  const publicUrl = httpOrigin(
    'LONGSHORE_PUBLIC_URL',
    text('LONGSHORE_PUBLIC_URL') || `http://localhost:${port}`,
  );
  const baseDomain = hostName('LONGSHORE_BASE_DOMAIN', text('LONGSHORE_BASE_DOMAIN'));
  const consoleHost = consoleHostOf(publicUrl);
  const shared = consoleHost === undefined ? 'nothing' : sharedWithApps(consoleHost, baseDomain);
  if (shared !== 'nothing') {
    throw new ConfigProblem(
      'LONGSHORE_BASE_DOMAIN',
      `must not be ${baseDomain}: apps below it would share ${shared} with the console at ${consoleHost}. Use a domain that is neither above nor below the host of LONGSHORE_PUBLIC_URL, such as apps.example.net.`,
    );
  }
  const host = text('LONGSHORE_HOST');
  const isPublic = consoleHost !== undefined && !isLoopback(consoleHost);
  return {
    host,
    port,
    publicUrl,
    consoleHost: edges === undefined ? consoleHost : undefined,
    hsts: oneOf('LONGSHORE_HSTS', ['true', 'false']) === 'true',
    // The console listens on the loopback address by default: it is public through the edge only.
    edgeHost: isPublic && httpsPort !== undefined && !environment.LONGSHORE_HOST ? '0.0.0.0' : host,
    dataDir: resolve(workingDir, text('LONGSHORE_DATA_DIR')),
    databaseUrl: postgresUrl(text('DATABASE_URL')),
    ...stateSettings(oneOf('LONGSHORE_STATE', ['local', 'shared']), text),
    engine: oneOf('LONGSHORE_ENGINE', ['auto', 'process', 'docker', 'kubernetes']),
    dockerSocket: text('LONGSHORE_DOCKER_SOCKET'),
    kubeconfig: text('KUBECONFIG') || undefined,
    namespacePrefix: namespacePrefix(text('LONGSHORE_KUBE_NAMESPACE_PREFIX')),
    nodeImage: text('LONGSHORE_NODE_IMAGE'),
    builderImage: imageName('LONGSHORE_BUILDER_IMAGE', text('LONGSHORE_BUILDER_IMAGE')),
    builderStorageClass: text('LONGSHORE_BUILDER_STORAGE_CLASS') || undefined,
    registries: {
      registry: ownRegistry(text('LONGSHORE_REGISTRY'), {
        isInsecure: oneOf('LONGSHORE_REGISTRY_INSECURE', ['true', 'false']) === 'true',
        credential: registryAccount(
          text('LONGSHORE_REGISTRY_USERNAME'),
          text('LONGSHORE_REGISTRY_PASSWORD'),
        ),
      }),
      mirror: registryMirror(text('LONGSHORE_REGISTRY_MIRROR')),
    },
    ingressPort,
    httpsPort,
    trustedProxies: networks('LONGSHORE_TRUSTED_PROXY', text('LONGSHORE_TRUSTED_PROXY')),
    edgeTrustedProxies: networks(edgeProxies, text(edgeProxies)),
    proxyProtocol,
    edge: oneOf('LONGSHORE_EDGE', ['auto', 'service']),
    remoteEdges: edges,
    network: appNetwork('LONGSHORE_NETWORK', text('LONGSHORE_NETWORK')),
    allowedNetworks: networks('LONGSHORE_ALLOWED_NETWORKS', text('LONGSHORE_ALLOWED_NETWORKS')),
    baseDomain,
    publicIp: ipAddress('LONGSHORE_PUBLIC_IP', text('LONGSHORE_PUBLIC_IP')),
    dnsServers: dnsServers('LONGSHORE_DNS_SERVERS', text('LONGSHORE_DNS_SERVERS')),
    acme: acmeSettings(text),
    s3: s3Settings(text),
    tls: certificateFiles(text, workingDir),
    passwordMinLength: integer('LONGSHORE_PASSWORD_MIN_LENGTH', PASSWORD_MIN_LENGTH, 50),
    accessTokenTtlSeconds: integer('LONGSHORE_ACCESS_TOKEN_TTL', 10, 86_400),
    smtpUrl: smtpUrl(text('SMTP_URL')),
    mailFrom: text('LONGSHORE_MAIL_FROM'),
    requireVerifiedEmail:
      text('LONGSHORE_REQUIRE_VERIFIED_EMAIL') === ''
        ? text('SMTP_URL') !== ''
        : oneOf('LONGSHORE_REQUIRE_VERIFIED_EMAIL', ['true', 'false']) === 'true',
    smsWebhook:
      text('LONGSHORE_SMS_WEBHOOK') === ''
        ? undefined
        : httpUrl('LONGSHORE_SMS_WEBHOOK', text('LONGSHORE_SMS_WEBHOOK')).href,
    anonymousSignIn: oneOf('LONGSHORE_ANONYMOUS_SIGN_IN', ['true', 'false']) === 'true',
    signUp: signUpRule(text('LONGSHORE_SIGN_UP')),
    rateLimits: oneOf('LONGSHORE_RATE_LIMITS', ['true', 'false']) === 'true',
    allowedRedirects: text('LONGSHORE_ALLOWED_REDIRECTS')
      .split(',')
      .map((url) => url.trim())
      .filter((url) => url !== ''),
    allowedOrigins: httpOrigins('LONGSHORE_ALLOWED_ORIGINS', text('LONGSHORE_ALLOWED_ORIGINS')),
    gitHosts: {
      github: withoutTrailingSlash(httpUrl('LONGSHORE_GITHUB_URL', text('LONGSHORE_GITHUB_URL'))),
      gitlab: withoutTrailingSlash(httpUrl('LONGSHORE_GITLAB_URL', text('LONGSHORE_GITLAB_URL'))),
    },
    dockerHubUrl: withoutTrailingSlash(
      httpUrl('LONGSHORE_DOCKERHUB_URL', text('LONGSHORE_DOCKERHUB_URL')),
    ),
    providers: {
      ...provider('github', 'LONGSHORE_GITHUB'),
      ...provider('gitlab', 'LONGSHORE_GITLAB'),
      ...provider('google', 'LONGSHORE_GOOGLE'),
    },
    allowLocalSources: oneOf('LONGSHORE_ALLOW_LOCAL_SOURCES', ['true', 'false']) === 'true',
    trustEverybody: oneOf('LONGSHORE_TRUST_EVERYBODY', ['true', 'false']) === 'true',
    maxFileBytes: integer('LONGSHORE_MAX_FILE_BYTES', 1, 1_000_000_000_000),
    filesQuotaBytes: integer('LONGSHORE_FILES_QUOTA_BYTES', 0, 1_000_000_000_000_000),
    quota: {
      apps: limit('LONGSHORE_QUOTA_APPS'),
      memoryBytes: isSet('LONGSHORE_QUOTA_MEMORY_MB')
        ? MIB * limit('LONGSHORE_QUOTA_MEMORY_MB')
        : machine.memoryBytes / 2,
      cpus: isSet('LONGSHORE_QUOTA_CPU')
        ? quotaLimit('LONGSHORE_QUOTA_CPU', text('LONGSHORE_QUOTA_CPU'), false)
        : machine.cpus / 2,
      builds: limit('LONGSHORE_QUOTA_BUILDS'),
      diskBytes: 1024 * MIB * limit('LONGSHORE_QUOTA_DISK_GB'),
    },
    tiers: {
      tiers: tiers(text('LONGSHORE_TIERS'), workingDir),
      machine: isCluster ? ANY_NODE : serverMachine,
    },
    builds: buildsOn(machine),
    adminSecret: accessSecret('LONGSHORE_ADMIN_SECRET', text('LONGSHORE_ADMIN_SECRET')),
    metricsToken: accessSecret('LONGSHORE_METRICS_TOKEN', text('LONGSHORE_METRICS_TOKEN')),
    functionsTimeoutMs: integer('LONGSHORE_FUNCTIONS_TIMEOUT', 1, 3_600) * 1_000,
    functionsMemoryMb: integer('LONGSHORE_FUNCTIONS_MEMORY_MB', 16, 65_536),
    otherVariables: otherVariables(environment),
    docsUrl: linkTarget('LONGSHORE_DOCS_URL', text('LONGSHORE_DOCS_URL')),
    logLevel:
      text('LONGSHORE_LOG_LEVEL') === ''
        ? undefined
        : oneOf('LONGSHORE_LOG_LEVEL', ['debug', 'info', 'warn', 'error']),
  };
}

/** Excludes Longshore's own variables, because some of them are secrets. */
function otherVariables(environment: Environment): Record<string, string> {
  const own = new Set<string>(VARIABLES.map(({ name }) => name));
  const others = Object.entries(environment).filter(
    (entry): entry is [string, string] => !own.has(entry[0]) && entry[1] !== undefined,
  );
  return Object.fromEntries(others);
}
