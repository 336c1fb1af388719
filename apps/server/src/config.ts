import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { LOCAL_BACKEND_PORT, PASSWORD_MIN_LENGTH } from '@longshore/contract';
import { Secret } from './secrets/secret.ts';
import { StartProblem } from './start-problem.ts';

export type EngineKind = 'auto' | 'process';

export type Config = {
  host: string;
  port: number;
  publicUrl: string;
  dataDir: string;
  /** Undefined: the embedded Postgres. */
  databaseUrl: string | undefined;
  engine: EngineKind;
  ingressPort: number;
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
  /** A provider without an entry is off. */
  providers: Partial<Record<'github' | 'gitlab' | 'google', ProviderClient>>;
  allowLocalSources: boolean;
  docsUrl: string;
  logLevel: string;
};

/** How a provider knows this installation. */
export type ProviderClient = { url: string; clientId: string; clientSecret: Secret };

type Environment = Record<string, string | undefined>;
type Variable = { name: string; fallback: string; meaning: string };

/** Every variable Longshore reads, in the order `--help` prints them. */
export const VARIABLES = [
  { name: 'LONGSHORE_HOST', fallback: '127.0.0.1', meaning: 'address to listen on' },
  { name: 'LONGSHORE_PORT', fallback: String(LOCAL_BACKEND_PORT), meaning: 'port of the console' },
  {
    name: 'LONGSHORE_PUBLIC_URL',
    fallback: '',
    meaning: 'where browsers reach the console (default http://localhost:<port>)',
  },
  { name: 'LONGSHORE_DATA_DIR', fallback: '.longshore', meaning: 'database, keys, apps and logs' },
  { name: 'DATABASE_URL', fallback: '', meaning: 'a Postgres of your own (default embedded)' },
  { name: 'LONGSHORE_ENGINE', fallback: 'auto', meaning: 'what runs apps: auto or process' },
  { name: 'LONGSHORE_INGRESS_PORT', fallback: '8080', meaning: 'port where apps are reached' },
  {
    name: 'LONGSHORE_BASE_DOMAIN',
    fallback: 'localhost',
    meaning: 'apps live at <name>-<12 hex>.<base domain>',
  },
  {
    name: 'LONGSHORE_PUBLIC_IP',
    fallback: '127.0.0.1',
    meaning: 'shown for the A record of custom domains',
  },
  {
    name: 'LONGSHORE_PASSWORD_MIN_LENGTH',
    fallback: String(PASSWORD_MIN_LENGTH),
    meaning: 'shortest password accepted at sign-up',
  },
  {
    name: 'LONGSHORE_ACCESS_TOKEN_TTL',
    fallback: '900',
    meaning: 'life of an access token, in seconds',
  },
  { name: 'SMTP_URL', fallback: '', meaning: 'mail server (default: mails land in the outbox)' },
  {
    name: 'LONGSHORE_MAIL_FROM',
    fallback: 'Longshore <longshore@localhost>',
    meaning: 'sender of mails',
  },
  {
    name: 'LONGSHORE_REQUIRE_VERIFIED_EMAIL',
    fallback: '',
    meaning: 'sign in only with a verified address (default true when SMTP_URL is set)',
  },
  {
    name: 'LONGSHORE_SMS_WEBHOOK',
    fallback: '',
    meaning: 'text messages are posted there (default: they land in the outbox)',
  },
  {
    name: 'LONGSHORE_ANONYMOUS_SIGN_IN',
    fallback: 'false',
    meaning: 'allow sessions without an account',
  },
  {
    name: 'LONGSHORE_RATE_LIMITS',
    fallback: 'true',
    meaning: 'refuse those who try to sign in too often',
  },
  {
    name: 'LONGSHORE_ALLOWED_REDIRECTS',
    fallback: '',
    meaning: 'further addresses links may lead to, separated by commas',
  },
  {
    name: 'LONGSHORE_GITHUB_URL',
    fallback: 'https://github.com',
    meaning: 'GitHub, or a GitHub Enterprise of your own',
  },
  {
    name: 'LONGSHORE_GITHUB_CLIENT_ID',
    fallback: '',
    meaning: 'turns on signing in with GitHub; its name for this installation',
  },
  {
    name: 'LONGSHORE_GITHUB_CLIENT_SECRET',
    fallback: '',
    meaning: 'the secret that GitHub gave with it',
  },
  {
    name: 'LONGSHORE_GITLAB_URL',
    fallback: 'https://gitlab.com',
    meaning: 'GitLab, or your own',
  },
  {
    name: 'LONGSHORE_GITLAB_CLIENT_ID',
    fallback: '',
    meaning: 'turns on signing in with GitLab; its name for this installation',
  },
  {
    name: 'LONGSHORE_GITLAB_CLIENT_SECRET',
    fallback: '',
    meaning: 'the secret that GitLab gave with it',
  },
  {
    name: 'LONGSHORE_GOOGLE_URL',
    fallback: 'https://accounts.google.com',
    meaning: 'Google, or another OpenID Connect issuer',
  },
  {
    name: 'LONGSHORE_GOOGLE_CLIENT_ID',
    fallback: '',
    meaning: 'turns on signing in with Google; its name for this installation',
  },
  {
    name: 'LONGSHORE_GOOGLE_CLIENT_SECRET',
    fallback: '',
    meaning: 'the secret that Google gave with it',
  },
  {
    name: 'LONGSHORE_ALLOW_LOCAL_SOURCES',
    fallback: 'false',
    meaning: 'allow file://, http:// and private-network git sources',
  },
  {
    name: 'LONGSHORE_DOCS_URL',
    fallback: '/docs',
    meaning: 'where the documentation button leads',
  },
  {
    name: 'LONGSHORE_LOG_LEVEL',
    fallback: 'info',
    meaning: 'how much the server says: debug, info, warn or error',
  },
] as const satisfies Variable[];

type VariableName = (typeof VARIABLES)[number]['name'];
type ProviderPrefix = 'LONGSHORE_GITHUB' | 'LONGSHORE_GITLAB' | 'LONGSHORE_GOOGLE';

/** A value the operator has to mend. The sentence names its variable. */
export class ConfigProblem extends StartProblem {
  constructor(variable: VariableName, sentence: string) {
    super(`${variable} ${sentence}`);
  }
}

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
    engine: oneOf('LONGSHORE_ENGINE', ['auto', 'process']),
    ingressPort,
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
    providers: {
      ...provider('github', 'LONGSHORE_GITHUB'),
      ...provider('gitlab', 'LONGSHORE_GITLAB'),
      ...provider('google', 'LONGSHORE_GOOGLE'),
    },
    allowLocalSources: oneOf('LONGSHORE_ALLOW_LOCAL_SOURCES', ['true', 'false']) === 'true',
    docsUrl: linkTarget('LONGSHORE_DOCS_URL', text('LONGSHORE_DOCS_URL')),
    logLevel: oneOf('LONGSHORE_LOG_LEVEL', ['debug', 'info', 'warn', 'error']),
  };
}

export function configHelp(): string {
  const rows = VARIABLES.map(({ name, fallback, meaning }) => {
    const note = fallback === '' ? '' : ` (default ${fallback})`;
    return `  ${name.padEnd(31)}${meaning}${note}`;
  });
  return ['Longshore reads these environment variables:', '', ...rows].join('\n');
}

function webAddress(name: VariableName, value: string): string {
  return httpAddress(name, value).origin;
}

function httpAddress(name: VariableName, value: string): URL {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new ConfigProblem(name, `must be an http:// or https:// address, not "${value}".`);
}

/** An address that paths are added to. */
function withoutEnd({ origin, pathname }: URL): string {
  return `${origin}${pathname}`.replace(/\/$/, '');
}

function smtpAddress(value: string): Secret | undefined {
  if (value === '') return undefined;
  // The value may hold a password, so the sentence does not repeat it.
  if (/^smtps?:\/\/./.test(value)) return new Secret(value);
  throw new ConfigProblem('SMTP_URL', 'must start with smtp:// or smtps://.');
}

function databaseAddress(value: string): string | undefined {
  if (value === '') return undefined;
  // The value holds a password, so the sentence does not repeat it.
  if (/^postgres(?:ql)?:\/\//.test(value)) return value;
  throw new ConfigProblem('DATABASE_URL', 'must start with postgres:// or postgresql://.');
}

function hostName(name: VariableName, value: string): string {
  if (/^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/.test(value)) return value;
  throw new ConfigProblem(name, `must be a host name in lower case, not "${value}".`);
}

function ipAddress(name: VariableName, value: string): string {
  if (isIP(value) !== 0) return value;
  throw new ConfigProblem(name, `must be an IP address, not "${value}".`);
}

function linkTarget(name: VariableName, value: string): string {
  if (/^(?:https?:\/\/|\/(?!\/))/.test(value)) return value;
  throw new ConfigProblem(
    name,
    `must be a path or an http:// or https:// address, not "${value}".`,
  );
}
