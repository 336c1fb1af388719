import {
  ADDRESS_VARIABLES,
  type AddressVariable,
  ENV_VALUE_MAX_LENGTH,
  type Reference,
  referencesIn,
  referenceText,
  valueParts,
} from '@longshore/contract';
import type { ReadEnv } from './variables.ts';

/** An app that variables can refer to. `env`: null for a value that cannot be read. */
export type ReferencedApp = { env: ReadEnv; address: Record<AddressVariable, string> };

/**
 * `env`: with the values in place of the references. `referred`: the values that depend on other apps, under the name of the
 * variable, and those that they refer to, as `app.VARIABLE`. Addresses are not part of it.
 */
export type ResolvedEnv =
  | { ok: true; env: Record<string, string>; referred: Record<string, string> }
  | { ok: false; variable: string; problem: string };

/** A chain of references may be so long. */
const MAX_DEPTH = 50;

type Env = Record<string, string>;
type Value = { ok: true; value: string } | { ok: false; problem: string };

export function hasReferences(env: Env): boolean {
  return Object.values(env).some((value) => referencesIn(value).length > 0);
}

type ResolveOptions = {
  /** The name of the app. */
  name: string;
  /** Those of its project, by name. */
  apps: ReadonlyMap<string, ReferencedApp>;
  /** The variables to resolve. Default: all. */
  only?: string[];
};

/** Resolves the variables of an app. */
export function resolveEnv(
  env: Env,
  { name, apps, only = Object.keys(env) }: ResolveOptions,
): ResolvedEnv {
  const visited = new Map<string, Value>();
  const resolved: Env = {};
  const referred: Env = {};
  for (const variable of only) {
    const raw = env[variable] ?? '';
    const result = resolveValue(raw, [{ app: name, variable }]);
    if (!result.ok) return { ok: false, variable, problem: result.problem };
    resolved[variable] = result.value;
    if (referencesIn(raw).length > 0) referred[variable] = result.value;
  }
  for (const [key, result] of visited) if (result.ok) referred[key] = result.value;
  return { ok: true, env: resolved, referred };

  /** `path`: the variables that led here, the last one has this value. */
  function resolveValue(raw: string, path: Reference[]): Value {
    let value = '';
    for (const part of valueParts(raw)) {
      const result = part.kind === 'reference' ? resolve(part.reference, path) : part;
      if ('ok' in result && !result.ok) return result;
      value += 'ok' in result ? result.value : result.text;
      if (value.length > ENV_VALUE_MAX_LENGTH) return tooLong(path);
    }
    return { ok: true, value };
  }

  function resolve(reference: Reference, path: Reference[]): Value {
    const { app, variable } = reference;
    const text = referenceText(reference);
    if (isAddress(variable)) {
      const found = apps.get(app);
      return found === undefined
        ? unknownApp(reference)
        : { ok: true, value: found.address[variable] };
    }
    const cycle = [...path, reference].map(nameOf);
    if (cycle.indexOf(nameOf(reference)) < path.length) {
      return { ok: false, problem: `${text} refers to itself: ${cycle.join(' → ')}` };
    }
    if (path.length > MAX_DEPTH) {
      return { ok: false, problem: `${text}: More than ${MAX_DEPTH} references follow each other` };
    }
    const known = visited.get(nameOf(reference));
    if (known !== undefined) return known;
    const result = resolveRaw(reference, [...path, reference]);
    visited.set(nameOf(reference), result);
    return result;
  }

  function resolveRaw(reference: Reference, path: Reference[]): Value {
    const { app, variable } = reference;
    const found: ReadEnv | undefined = app === name ? env : apps.get(app)?.env;
    if (found === undefined) return unknownApp(reference);
    const raw = Object.hasOwn(found, variable) ? found[variable] : undefined;
    if (raw === undefined) {
      return {
        ok: false,
        problem: `${referenceText(reference)}: The app ${app} has no variable ${variable}`,
      };
    }
    if (raw === null) {
      return { ok: false, problem: `${referenceText(reference)}: The stored value cannot be read` };
    }
    return resolveValue(raw, path);
  }
}

function isAddress(variable: string): variable is AddressVariable {
  return (ADDRESS_VARIABLES as readonly string[]).includes(variable);
}

function unknownApp(reference: Reference): Value {
  return {
    ok: false,
    problem: `${referenceText(reference)}: The project has no app ${reference.app}`,
  };
}

function tooLong(path: Reference[]): Value {
  const last = path.map(nameOf).join(' → ');
  return {
    ok: false,
    problem: `With its references, ${last} is longer than ${ENV_VALUE_MAX_LENGTH} characters`,
  };
}

function nameOf({ app, variable }: Reference): string {
  return `${app}.${variable}`;
}
