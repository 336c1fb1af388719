import { hasHiddenCharacters } from './characters.ts';
import { invalid, type Parsed, valid } from './parsed.ts';
import { parseSettings, type SettingParsers } from './settings.ts';

/** How it is checked that an app works. Absent: it only has to accept a connection when it starts. */
export type HealthCheck = {
  /** Requested with GET. Absent: the app has to accept a connection. */
  path?: string;
  /** The status that the response must have. Absent: any from 200 to 399. */
  status?: number;
  /** How long an instance may take to pass after its start. */
  graceSeconds?: number;
  intervalSeconds?: number;
  /** So many failed checks in a row make an instance unhealthy. */
  failureThreshold?: number;
};

type NumberField = Exclude<keyof HealthCheck, 'path'>;

export const HEALTH_CHECK_DEFAULTS = {
  graceSeconds: 60,
  intervalSeconds: 10,
  failureThreshold: 3,
};

const RANGES: Record<NumberField, { min: number; max: number }> = {
  status: { min: 100, max: 599 },
  graceSeconds: { min: 1, max: 1_800 },
  intervalSeconds: { min: 1, max: 3_600 },
  failureThreshold: { min: 1, max: 100 },
};

const MAX_PATH_LENGTH = 1_000;

/** `before`: the stored settings, in any form. */
export function parseHealthCheck(
  value: unknown,
  before?: unknown,
): Parsed<HealthCheck | undefined> {
  const parsed = parseSettings({ field: 'healthCheck', value, stored: before }, PARSERS);
  return parsed.ok && parsed.value?.status !== undefined && parsed.value.path === undefined
    ? invalid('healthCheck.status', 'Needs a path')
    : parsed;
}

/** Of a path as it is typed; empty counts as absent. */
export function healthPathProblem(path: string): string | undefined {
  const text = path.trim();
  if (text === '') return undefined;
  if (!text.startsWith('/')) return 'Must start with /';
  if (text.length > MAX_PATH_LENGTH) return `Must have at most ${MAX_PATH_LENGTH} characters`;
  const isPlain = !/[\s#]/.test(text) && !hasHiddenCharacters(text) && /^[!-~]+$/.test(text);
  return isPlain ? undefined : 'Must be a path and a query, without spaces and #';
}

/** Accepts text from a form field, which may be empty, as well as numbers from a request. */
export function healthNumberProblem(field: NumberField, value: unknown): string | undefined {
  const trimmed = typeof value === 'string' ? value.trim() : value;
  if (trimmed === '') return undefined;
  const isDigits = typeof trimmed === 'string' && /^\d+$/.test(trimmed);
  const number = isDigits ? Number(trimmed) : trimmed;
  const { min, max } = RANGES[field];
  const isAllowed = Number.isInteger(number) && Number(number) >= min && Number(number) <= max;
  return isAllowed ? undefined : `Must be a whole number between ${min} and ${max}`;
}

/** What is checked, for people. */
export function healthCheckText({ path }: HealthCheck): string {
  return path === undefined ? 'TCP connection' : `GET ${path}`;
}

function numberParser(field: NumberField) {
  return (value: unknown): Parsed<number> => {
    const problem = healthNumberProblem(field, typeof value === 'string' ? undefined : value);
    return problem === undefined ? valid(Number(value)) : invalid(`healthCheck.${field}`, problem);
  };
}

const PARSERS: SettingParsers<HealthCheck> = {
  path(value) {
    if (typeof value !== 'string') return invalid('healthCheck.path', 'Must be text');
    const problem = healthPathProblem(value);
    if (problem !== undefined) return invalid('healthCheck.path', problem);
    return valid(value.trim() === '' ? undefined : value.trim());
  },
  status: numberParser('status'),
  graceSeconds: numberParser('graceSeconds'),
  intervalSeconds: numberParser('intervalSeconds'),
  failureThreshold: numberParser('failureThreshold'),
};
