import { resolve } from 'node:path';
import { PASSWORD_MIN_LENGTH } from '@longshore/contract';
import {
  adminSecret,
  ConfigProblem,
  databaseAddress,
  hostName,
  httpAddress,
  ipAddress,
  linkTarget,
  networks,
  smtpAddress,
  webAddress,
  withoutEnd,
} from './config-values.ts';
import { VARIABLES, type VariableName } from './config-variables.ts';
import { Secret } from './secrets/secret.ts';

export type EngineKind = 'auto' | 'process' | 'docker';

export type Config = {
  host: string;
  port: number;
  publicUrl: string;
  dataDir: string;
  /** Undefined: the embedded Postgres. */
  databaseUrl: string | undefined;
  engine: EngineKind;
  dockerSocket: string;
  nodeImage: string;
  ingressPort: number;
  /** Addresses and networks of proxies before the ingress. */
  trustedProxies: string[];
  baseDomain: string;
  publicIp: string;
  passwordMinLength: number;
  accessTokenTtlSeconds: number;
  /** Undefined: mails land in the outbox. */
  smtpUrl: Secret | undefined;
  mailFrom: string;
  requireVerifiedEmail: boolean;
  smsWebhook: string | undefined;
  anonymousSignIn: boolean;
  rateLimits: boolean;
  allowedRedirects: string[];
  /** Where the code hosts live that people need not name, whether or not there is a client for them. */
  gitHosts: Record<'github' | 'gitlab', string>;
  /** The registry of images that name no host. */
  dockerHubUrl: string;
  /** A provider without an entry is off. */
  providers: Partial<Record<'github' | 'gitlab' | 'google', ProviderClient>>;
  allowLocalSources: boolean;
  maxFileBytes: number;
  filesQuotaBytes: number;
  /** Undefined: nobody is admin of GraphQL. */
  adminSecret: Secret | undefined;
  functionsTimeoutMs: number;
  functionsMemoryMb: number;
  /** What is not ours: functions may see it. */
  otherVariables: Record<string, string>;
  docsUrl: string;
  logLevel: string;
};

/** How a provider knows this installation. */
export type ProviderClient = { url: string; clientId: string; clientSecret: Secret };

type Environment = Record<string, string | undefined>;

type ProviderPrefix = 'LONGSHORE_GITHUB' | 'LONGSHORE_GITLAB' | 'LONGSHORE_GOOGLE';

export function readConfig(environment: Environment, workingDir: string): Config {
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
  const oneOf = <T extends string>(name: VariableName, words: readonly T[]): T => {
    const word = words.find((candidate) => candidate === text(name));
    if (word !== undefined) return word;
    throw new ConfigProblem(name, `must be ${words.join(' or ')}, not "${text(name)}".`);
  };

  const provider = (name: string, prefix: ProviderPrefix) => {
    const address = httpAddress(`${prefix}_URL`, text(`${prefix}_URL`));
    const [clientId, secret] = [text(`${prefix}_CLIENT_ID`), text(`${prefix}_CLIENT_SECRET`)];
    if (clientId === '' && secret === '') return {};
    if (clientId === '') throw new ConfigProblem(`${prefix}_CLIENT_ID`, 'must be set too.');
    if (secret === '') throw new ConfigProblem(`${prefix}_CLIENT_SECRET`, 'must be set too.');
    const url = withoutEnd(address);
    return { [name]: { url, clientId, clientSecret: new Secret(secret) } };
  };

  const port = integer('LONGSHORE_PORT', 1, 65_535);
  const ingressPort = integer('LONGSHORE_INGRESS_PORT', 1, 65_535);
  if (ingressPort === port) {
    throw new ConfigProblem('LONGSHORE_INGRESS_PORT', 'must differ from LONGSHORE_PORT.');
  }
  return {
    host: text('LONGSHORE_HOST'),
    port,
    publicUrl: webAddress(
      'LONGSHORE_PUBLIC_URL',
      text('LONGSHORE_PUBLIC_URL') || `http://localhost:${port}`,
    ),
    dataDir: resolve(workingDir, text('LONGSHORE_DATA_DIR')),
    databaseUrl: databaseAddress(text('DATABASE_URL')),
    engine: oneOf('LONGSHORE_ENGINE', ['auto', 'process', 'docker']),
    dockerSocket: text('LONGSHORE_DOCKER_SOCKET'),
    nodeImage: text('LONGSHORE_NODE_IMAGE'),
    ingressPort,
    trustedProxies: networks('LONGSHORE_TRUSTED_PROXY', text('LONGSHORE_TRUSTED_PROXY')),
    baseDomain: hostName('LONGSHORE_BASE_DOMAIN', text('LONGSHORE_BASE_DOMAIN')),
    publicIp: ipAddress('LONGSHORE_PUBLIC_IP', text('LONGSHORE_PUBLIC_IP')),
    passwordMinLength: integer('LONGSHORE_PASSWORD_MIN_LENGTH', PASSWORD_MIN_LENGTH, 50),
    accessTokenTtlSeconds: integer('LONGSHORE_ACCESS_TOKEN_TTL', 10, 86_400),
    smtpUrl: smtpAddress(text('SMTP_URL')),
    mailFrom: text('LONGSHORE_MAIL_FROM'),
    requireVerifiedEmail:
      text('LONGSHORE_REQUIRE_VERIFIED_EMAIL') === ''
        ? text('SMTP_URL') !== ''
        : oneOf('LONGSHORE_REQUIRE_VERIFIED_EMAIL', ['true', 'false']) === 'true',
    smsWebhook:
      text('LONGSHORE_SMS_WEBHOOK') === ''
        ? undefined
        : httpAddress('LONGSHORE_SMS_WEBHOOK', text('LONGSHORE_SMS_WEBHOOK')).href,
    anonymousSignIn: oneOf('LONGSHORE_ANONYMOUS_SIGN_IN', ['true', 'false']) === 'true',
    rateLimits: oneOf('LONGSHORE_RATE_LIMITS', ['true', 'false']) === 'true',
    allowedRedirects: text('LONGSHORE_ALLOWED_REDIRECTS')
      .split(',')
      .map((address) => address.trim())
      .filter((address) => address !== ''),
    gitHosts: {
      github: withoutEnd(httpAddress('LONGSHORE_GITHUB_URL', text('LONGSHORE_GITHUB_URL'))),
      gitlab: withoutEnd(httpAddress('LONGSHORE_GITLAB_URL', text('LONGSHORE_GITLAB_URL'))),
    },
    dockerHubUrl: withoutEnd(
      httpAddress('LONGSHORE_DOCKERHUB_URL', text('LONGSHORE_DOCKERHUB_URL')),
    ),
    providers: {
      ...provider('github', 'LONGSHORE_GITHUB'),
      ...provider('gitlab', 'LONGSHORE_GITLAB'),
      ...provider('google', 'LONGSHORE_GOOGLE'),
    },
    allowLocalSources: oneOf('LONGSHORE_ALLOW_LOCAL_SOURCES', ['true', 'false']) === 'true',
    maxFileBytes: integer('LONGSHORE_MAX_FILE_BYTES', 1, 1_000_000_000_000),
    filesQuotaBytes: integer('LONGSHORE_FILES_QUOTA_BYTES', 0, 1_000_000_000_000_000),
    adminSecret: adminSecret(text('LONGSHORE_ADMIN_SECRET')),
    functionsTimeoutMs: integer('LONGSHORE_FUNCTIONS_TIMEOUT', 1, 3_600) * 1_000,
    functionsMemoryMb: integer('LONGSHORE_FUNCTIONS_MEMORY_MB', 16, 65_536),
    otherVariables: otherVariables(environment),
    docsUrl: linkTarget('LONGSHORE_DOCS_URL', text('LONGSHORE_DOCS_URL')),
    logLevel: oneOf('LONGSHORE_LOG_LEVEL', ['debug', 'info', 'warn', 'error']),
  };
}

/** Everything but our own variables, which hold secrets. */
function otherVariables(environment: Environment): Record<string, string> {
  const own = new Set<string>(VARIABLES.map(({ name }) => name));
  const others = Object.entries(environment).filter(
    (entry): entry is [string, string] => !own.has(entry[0]) && entry[1] !== undefined,
  );
  return Object.fromEntries(others);
}
