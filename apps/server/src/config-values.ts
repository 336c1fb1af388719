import { isIP } from 'node:net';
import type { VariableName } from './config-variables.ts';
import { StartProblem } from './lifecycle/start-problem.ts';
import { parseNetwork } from './sandbox/network/addresses.ts';
import { Secret } from './secrets/secret.ts';

/** An invalid value. The message starts with the name of the variable. */
export class ConfigProblem extends StartProblem {
  constructor(variable: VariableName, problem: string) {
    super(`${variable} ${problem}`);
  }
}

export function httpOrigin(name: VariableName, value: string): string {
  return httpUrl(name, value).origin;
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

const MIN_ADMIN_SECRET_LENGTH = 12;

/** It grants full access and guesses are not limited, so it has to be long. */
export function adminSecret(value: string): Secret | undefined {
  if (value === '') return undefined;
  if (value.length >= MIN_ADMIN_SECRET_LENGTH) return new Secret(value);
  const problem = `must have at least ${MIN_ADMIN_SECRET_LENGTH} characters.`;
  throw new ConfigProblem('LONGSHORE_ADMIN_SECRET', problem);
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

export function linkTarget(name: VariableName, value: string): string {
  if (/^(?:https?:\/\/|\/(?!\/))/.test(value)) return value;
  throw new ConfigProblem(name, `must be a path or an http:// or https:// URL, not "${value}".`);
}

/** 0 means no limit. */
export function quotaLimit(name: VariableName, value: string, isWhole: boolean): number {
  const pattern = isWhole ? /^\d{1,9}$/ : /^\d{1,9}(?:\.\d{1,3})?$/;
  if (pattern.test(value)) return Number(value) === 0 ? Number.POSITIVE_INFINITY : Number(value);
  const kind = isWhole ? 'a whole number' : 'a number such as 1.5';
  throw new ConfigProblem(name, `must be ${kind}, or 0 for no limit, not "${value}".`);
}
