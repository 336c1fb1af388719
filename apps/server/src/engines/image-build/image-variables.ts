import { createHmac, randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { BuildVariables } from '../../build/buildkit/run-buildctl.ts';
import { declaredArguments, mountedSecrets } from '../../build/dockerfile-arguments.ts';
import { readJson, writeJson } from '../json-file.ts';

/**
 * How a build gets its variables: as arguments if the Dockerfile declares them, else as secrets. BuildKit ignores the values of
 * secrets when it looks for cached steps, so those that steps mount decide which cache is used. `key`: nobody who sees the scope
 * can guess values with it.
 */
export function imageVariables(
  variables: Record<string, string>,
  { dockerfile, key }: { dockerfile: string; key: string },
): BuildVariables {
  const declared = new Set(declaredArguments(dockerfile));
  const mounted = new Set(mountedSecrets(dockerfile));
  const sorted = Object.entries(variables).sort(([one], [other]) => (one < other ? -1 : 1));
  const secrets = sorted.filter(([name]) => !declared.has(name));
  const deciding = secrets.filter(([name]) => mounted.has(name));
  return {
    arguments: Object.fromEntries(sorted.filter(([name]) => declared.has(name))),
    secrets: Object.fromEntries(secrets),
    ...(deciding.length === 0 ? {} : { cacheScope: scopeOf(deciding, key) }),
  };
}

function scopeOf(variables: [string, string][], key: string): string {
  const digest = createHmac('sha256', key).update(JSON.stringify(variables)).digest('hex');
  return `build-${digest.slice(0, 32)}`;
}

/** The key of an app, made by its first build in the folder of its records. */
export async function openVariablesKey(folder: string): Promise<string> {
  const path = join(folder, 'variables-key');
  const existing = await readJson(path, z.string());
  if (existing !== undefined) return existing;
  const key = randomBytes(32).toString('hex');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeJson(path, key);
  return key;
}
