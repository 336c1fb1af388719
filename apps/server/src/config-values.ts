import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import {
  containerImageProblem,
  DEFAULT_TIERS,
  registryOfImage,
  type Tier,
} from '@longshore/contract';
import { parseSignUpRule, type SignUpRule } from './auth/sign-up/sign-up-rule.ts';
import type { RegistrySettings } from './build/buildkit/buildkitd-config.ts';
import type { AcmeSettings } from './certificates/acme/acme-client.ts';
import type { CertificateFiles } from './certificates/operator-certificate.ts';
import type { VariableName } from './config-variables.ts';
import { parseTiers } from './engines/tier-file.ts';
import { isLoopback } from './http/host-check.ts';
import { StartProblem } from './lifecycle/start-problem.ts';
import { parseNetwork } from './sandbox/network/addresses.ts';
import { Secret } from './secrets/secret.ts';
import type { S3Settings } from './storage/s3-store.ts';

/** An invalid value. The message starts with the name of the variable. */
export class ConfigProblem extends StartProblem {
  constructor(variable: VariableName, problem: string) {
    super(`${variable} ${problem}`);
  }
}

export function httpOrigin(name: VariableName, value: string): string {
  return httpUrl(name, value).origin;
}

/** Origins as browsers send them, separated by commas. */
export function httpOrigins(name: VariableName, value: string): string[] {
  const parts = value.split(',').map((part) => part.trim());
  return parts.filter((part) => part !== '').map((part) => onlyOrigin(name, part));
}

function onlyOrigin(name: VariableName, value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
  const hasHost = url !== undefined && /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/.test(url.hostname);
  if (isHttp && hasHost && url.href === `${url.origin}/`) return url.origin;
  throw new ConfigProblem(
    name,
    `must be origins such as https://app.example.com, without a path or *, not "${value}".`,
  );
}

export function httpUrl(name: VariableName, value: string): URL {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new ConfigProblem(name, `must be an http:// or https:// URL, not "${value}".`);
}

/** A URL to append paths to. */
export function withoutTrailingSlash({ origin, pathname }: URL): string {
  return `${origin}${pathname}`.replace(/\/$/, '');
}

export function smtpUrl(value: string): Secret | undefined {
  if (value === '') return undefined;
  // The value may contain a password, so the message does not repeat it.
  if (/^smtps?:\/\/./.test(value)) return new Secret(value);
  throw new ConfigProblem('SMTP_URL', 'must start with smtp:// or smtps://.');
}

const MIN_SECRET_LENGTH = 12;
const MIN_LONG_SECRET = 32;

/** Something that grants access to those who know it. */
export function accessSecret(name: VariableName, value: string): Secret | undefined {
  if (value === '') return undefined;
  if (value.length >= MIN_SECRET_LENGTH) return new Secret(value);
  throw new ConfigProblem(name, `must have at least ${MIN_SECRET_LENGTH} characters.`);
}

/** Each address of the host is an edge. The key proves server and edge to each other. */
export type RemoteEdges = { host: string; port: number; key: Secret };

/** `address` is `host:port`, and set together with the key. */
export function remoteEdges(address: string, key: string): RemoteEdges | undefined {
  if (address === '' && key === '') return undefined;
  const { host, port } = hostAndPort('LONGSHORE_EDGE_ADDRESS', address);
  return { host, port, key: longSecret('LONGSHORE_EDGE_KEY', key) };
}

/** Nobody types it, so it can be long. */
export function longSecret(name: VariableName, value: string): Secret {
  if (value.length >= MIN_LONG_SECRET) return new Secret(value);
  throw new ConfigProblem(name, `must have at least ${MIN_LONG_SECRET} characters.`);
}

export function hostAndPort(name: VariableName, address: string): { host: string; port: number } {
  const found = /^(?:(?<host>[a-z0-9.-]+)|\[(?<v6>[0-9a-f:.]+)\]):(?<port>\d{1,5})$/.exec(
    address,
  )?.groups;
  const { host = found?.v6, port } = found ?? {};
  if (host !== undefined && Number(port) >= 1 && Number(port) <= 65_535) {
    return { host, port: Number(port) };
  }
  throw new ConfigProblem(
    name,
    `must be a host and a port such as edge.example.internal:7443, not "${address}".`,
  );
}

export function postgresUrl(value: string): string | undefined {
  if (value === '') return undefined;
  // The value contains a password, so the message does not repeat it.
  if (/^postgres(?:ql)?:\/\//.test(value)) return value;
  throw new ConfigProblem('DATABASE_URL', 'must start with postgres:// or postgresql://.');
}

export function hostName(name: VariableName, value: string): string {
  if (/^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/.test(value)) return value;
  throw new ConfigProblem(name, `must be a lowercase host name, not "${value}".`);
}

export function ipAddress(name: VariableName, value: string): string {
  if (isIP(value) !== 0) return value;
  throw new ConfigProblem(name, `must be an IP address, not "${value}".`);
}

/** Addresses such as 9.9.9.9, 10.0.0.2:5353 or [fd00::2]:5353, separated by commas. */
export function dnsServers(name: VariableName, value: string): string[] {
  const parts = value.split(',').map((part) => part.trim());
  const listed = parts.filter((part) => part !== '');
  const invalid = listed.find((part) => !isDnsServer(part));
  if (invalid === undefined) return listed;
  throw new ConfigProblem(
    name,
    `must be IP addresses with an optional port, such as 9.9.9.9 or [fd00::2]:5353, not "${invalid}".`,
  );
}

function isDnsServer(text: string): boolean {
  if (isIP(text) !== 0) return true;
  const [, ipv6, ipv4, port = '53'] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const isAddress = ipv6 === undefined ? isIP(ipv4 ?? '') === 4 : isIP(ipv6) === 6;
  return isAddress && Number(port) >= 1 && Number(port) <= 65_535;
}

/** Addresses such as 10.0.0.1 and networks such as 10.0.0.0/8, separated by commas. */
export function networks(name: VariableName, value: string): string[] {
  const parts = value.split(',').map((part) => part.trim());
  const listed = parts.filter((part) => part !== '');
  const invalid = listed.find((part) => !isNetwork(part));
  if (invalid === undefined) return listed;
  throw new ConfigProblem(
    name,
    `must be IP addresses or networks such as 10.0.0.0/8, not "${invalid}".`,
  );
}

export function appNetwork(name: VariableName, value: string): string {
  const parsed = parseNetwork(value);
  if (parsed.ok) return value;
  throw new ConfigProblem(name, parsed.problem);
}

function isNetwork(text: string): boolean {
  const [, address = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const version = isIP(address);
  return version !== 0 && Number(bits ?? 0) <= (version === 6 ? 128 : 32);
}

/** Undefined: no certificates are ordered. */
export function acmeSettings(
  text: (name: VariableName) => string,
): (AcmeSettings & { caFile: string | undefined }) | undefined {
  const email = text('LONGSHORE_ACME_EMAIL');
  if (email === '') {
    const others = [
      'LONGSHORE_ACME_EAB_KID',
      'LONGSHORE_ACME_EAB_HMAC',
      'LONGSHORE_ACME_CA_FILE',
    ] as const;
    const lonely = others.find((name) => text(name) !== '');
    if (lonely !== undefined) throw new ConfigProblem(lonely, 'needs LONGSHORE_ACME_EMAIL.');
    return undefined;
  }
  if (!/^[^\s@,?]+@[^\s@,?]+$/.test(email)) {
    throw new ConfigProblem('LONGSHORE_ACME_EMAIL', `must be one email address, not "${email}".`);
  }
  const directory = httpUrl('LONGSHORE_ACME_DIRECTORY', text('LONGSHORE_ACME_DIRECTORY'));
  if (directory.protocol !== 'https:') {
    throw new ConfigProblem('LONGSHORE_ACME_DIRECTORY', 'must be an https:// URL.');
  }
  return {
    email,
    directory: directory.href,
    binding: accountBinding(text('LONGSHORE_ACME_EAB_KID'), text('LONGSHORE_ACME_EAB_HMAC')),
    caFile: text('LONGSHORE_ACME_CA_FILE') || undefined,
  };
}

const S3_NEEDED = [
  'LONGSHORE_S3_ENDPOINT',
  'LONGSHORE_S3_BUCKET',
  'LONGSHORE_S3_ACCESS_KEY_ID',
  'LONGSHORE_S3_SECRET_ACCESS_KEY',
] as const;

/** Undefined: files are stored in the data directory. */
export function s3Settings(text: (name: VariableName) => string): S3Settings | undefined {
  const missing = S3_NEEDED.find((name) => text(name) === '');
  if (S3_NEEDED.every((name) => text(name) === '')) return undefined;
  if (missing !== undefined) {
    const others = S3_NEEDED.filter((name) => name !== missing).join(', ');
    throw new ConfigProblem(missing, `must be set together with ${others}.`);
  }
  const endpoint = httpUrl('LONGSHORE_S3_ENDPOINT', text('LONGSHORE_S3_ENDPOINT'));
  const bucket = text('LONGSHORE_S3_BUCKET');
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) {
    throw new ConfigProblem(
      'LONGSHORE_S3_BUCKET',
      `must be the name of a bucket, not "${bucket}".`,
    );
  }
  const prefix = text('LONGSHORE_S3_PREFIX').replace(/\/+$/, '');
  if (!/^(?:[\w.-]+(?:\/[\w.-]+)*)?$/.test(prefix)) {
    throw new ConfigProblem(
      'LONGSHORE_S3_PREFIX',
      `must consist of letters, digits, ".", "-", "_" and "/", not "${prefix}".`,
    );
  }
  return {
    endpoint: withoutTrailingSlash(endpoint),
    bucket,
    region: text('LONGSHORE_S3_REGION'),
    accessKeyId: text('LONGSHORE_S3_ACCESS_KEY_ID'),
    secretAccessKey: new Secret(text('LONGSHORE_S3_SECRET_ACCESS_KEY')),
    prefix: prefix === '' ? '' : `${prefix}/`,
  };
}

function accountBinding(kid: string, hmacKey: string): AcmeSettings['binding'] {
  const [kidName, keyName] = ['LONGSHORE_ACME_EAB_KID', 'LONGSHORE_ACME_EAB_HMAC'] as const;
  if (kid === '' && hmacKey === '') return undefined;
  if (kid === '') throw new ConfigProblem(kidName, `must be set together with ${keyName}.`);
  if (hmacKey === '') throw new ConfigProblem(keyName, `must be set together with ${kidName}.`);
  // The value is a secret, so the message does not repeat it.
  if (!/^[\w+/-]+={0,2}$/.test(hmacKey)) throw new ConfigProblem(keyName, 'must be base64url.');
  return { kid, hmacKey: new Secret(hmacKey) };
}

export function certificateFiles(
  text: (name: VariableName) => string,
  workingDir: string,
): CertificateFiles | undefined {
  const [certName, keyName] = ['LONGSHORE_TLS_CERT', 'LONGSHORE_TLS_KEY'] as const;
  const [certFile, keyFile] = [text(certName), text(keyName)];
  if (certFile === '' && keyFile === '') return undefined;
  if (certFile === '') throw new ConfigProblem(certName, `must be set together with ${keyName}.`);
  if (keyFile === '') throw new ConfigProblem(keyName, `must be set together with ${certName}.`);
  return { certFile: resolve(workingDir, certFile), keyFile: resolve(workingDir, keyFile) };
}

export function linkTarget(name: VariableName, value: string): string {
  if (/^(?:https?:\/\/|\/(?!\/))/.test(value)) return value;
  throw new ConfigProblem(name, `must be a path or an http:// or https:// URL, not "${value}".`);
}

export function imageName(name: VariableName, value: string): string {
  if (containerImageProblem(value) === undefined) return value;
  throw new ConfigProblem(name, `must be an image such as name:tag, not "${value}".`);
}

/** With the id of a project it must be a name that Kubernetes accepts. */
/** With `-build` at the end, projects would have the names of the builders of an installation without it. */
export function namespacePrefix(value: string): string {
  const isName = /^[a-z](?:[a-z0-9-]{0,18}[a-z0-9])?$/.test(value);
  if (isName && !/^kube|-build$/.test(value)) return value;
  throw new ConfigProblem(
    'LONGSHORE_KUBE_NAMESPACE_PREFIX',
    `must be up to 20 lowercase letters, digits and hyphens, and neither start with kube nor end with -build, not "${value}".`,
  );
}

export function registryAccount(username: string, password: string): OwnRegistry['credential'] {
  const [user, secret] = ['LONGSHORE_REGISTRY_USERNAME', 'LONGSHORE_REGISTRY_PASSWORD'] as const;
  if (username === '' && password === '') return undefined;
  if (password === '') throw new ConfigProblem(user, `must be set together with ${secret}.`);
  if (username === '') throw new ConfigProblem(secret, `must be set together with ${user}.`);
  return { username, password: new Secret(password) };
}

type OwnRegistry = NonNullable<RegistrySettings['registry']>;

/** A host, with or without the start of repository names: registry.example.com/team. */
export function ownRegistry(
  value: string,
  options: Pick<OwnRegistry, 'isInsecure' | 'credential'>,
): RegistrySettings['registry'] {
  if (value === '') return undefined;
  const [first = '', ...rest] = value.split('/');
  const host = registryOfImage(`${value}/image`);
  const isValid = containerImageProblem(`${value}/image`) === undefined;
  if (host !== undefined && isValid && URL.canParse(`http://${first}`)) {
    return { host, path: rest.join('/'), ...options };
  }
  throw new ConfigProblem(
    'LONGSHORE_REGISTRY',
    `must be a registry such as registry.example.com/team, without https://, not "${value}".`,
  );
}

/** A URL, or host:port as Docker's own tools accept it. Without a protocol, a mirror on this machine uses plain HTTP. */
export function registryMirror(value: string): RegistrySettings['mirror'] {
  if (value === '') return undefined;
  const name = 'LONGSHORE_REGISTRY_MIRROR';
  // The value is not repeated: it may contain a password.
  if (value.includes('@')) {
    throw new ConfigProblem(name, 'must not contain a user name or a password.');
  }
  const withProtocol = /^\w+:\/\//.test(value) ? value : `${bareProtocol(value)}//${value}`;
  const url = URL.canParse(withProtocol) ? new URL(withProtocol) : undefined;
  const isRegistry = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (url !== undefined && isRegistry && url.href === `${url.origin}/`) {
    return { host: url.host, isPlainHttp: url.protocol === 'http:' };
  }
  throw new ConfigProblem(
    name,
    `must be a URL without a path, such as https://mirror.example.com, not "${value}".`,
  );
}

function bareProtocol(value: string): 'http:' | 'https:' {
  const url = URL.canParse(`http://${value}`) ? new URL(`http://${value}`) : undefined;
  return url !== undefined && isLoopback(url.hostname) ? 'http:' : 'https:';
}

export function signUpRule(value: string): SignUpRule | undefined {
  const rule = value === '' ? undefined : parseSignUpRule(value);
  if (value === '' || rule !== undefined) return rule;
  const allowed = 'open, closed, invite, or email domains such as example.com';
  throw new ConfigProblem('LONGSHORE_SIGN_UP', `must be ${allowed}, not "${value}".`);
}

/** 0 means no limit. */
export function quotaLimit(name: VariableName, value: string, isWhole: boolean): number {
  const pattern = isWhole ? /^\d{1,9}$/ : /^\d{1,9}(?:\.\d{1,3})?$/;
  if (pattern.test(value)) return Number(value) === 0 ? Number.POSITIVE_INFINITY : Number(value);
  const kind = isWhole ? 'a whole number' : 'a number such as 1.5';
  throw new ConfigProblem(name, `must be ${kind}, or 0 for no limit, not "${value}".`);
}

/** The sizes of apps, from a file of the operator. */
export function tiers(value: string, workingDir: string): readonly Tier[] {
  if (value === '') return DEFAULT_TIERS;
  const name = 'LONGSHORE_TIERS';
  const parsed = parseTiers(readText(name, resolve(workingDir, value)));
  if (parsed.ok) return parsed.tiers;
  throw new ConfigProblem(name, parsed.problem);
}

function readText(name: VariableName, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigProblem(name, `must be a file that can be read, not "${path}" (${code}).`);
  }
}
