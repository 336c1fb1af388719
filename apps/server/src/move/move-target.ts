import { readFile, stat } from 'node:fs/promises';
import { parseEnv } from 'node:util';
import { longSecret, postgresUrl, s3Settings } from '../config-values.ts';
import { VARIABLES, type VariableName } from '../config-variables.ts';
import { StartProblem } from '../lifecycle/start-problem.ts';
import { Secret } from '../secrets/secret.ts';
import type { S3Settings } from '../storage/s3-store.ts';

/** Where an installation moves to: the shared state of the servers there. */
export type MoveTarget = { databaseUrl: Secret; masterKey: Secret; s3: S3Settings };

const NEEDED = [
  'DATABASE_URL',
  'LONGSHORE_MASTER_KEY',
  'LONGSHORE_S3_ENDPOINT',
  'LONGSHORE_S3_BUCKET',
  'LONGSHORE_S3_ACCESS_KEY_ID',
  'LONGSHORE_S3_SECRET_ACCESS_KEY',
] as const;

const READABLE_BY_OTHERS = 0o077;

/** Reads the settings of the target from a file, whose secrets are then neither in arguments nor in the shell's history. */
export async function readMoveTarget(path: string): Promise<MoveTarget> {
  const found = await stat(path).catch((cause) => {
    throw new StartProblem(`Cannot read ${path}.`, { cause });
  });
  if ((found.mode & READABLE_BY_OTHERS) !== 0) {
    throw new StartProblem(
      `Other users of this machine may read ${path}, which contains secrets. Run: chmod 600 ${path}`,
    );
  }
  return moveTarget(parseEnv(await readFile(path, 'utf8')), path);
}

export function moveTarget(settings: NodeJS.Dict<string>, path: string): MoveTarget {
  const text = (name: VariableName) =>
    settings[name]?.trim() || (VARIABLES.find((it) => it.name === name)?.fallback ?? '');
  const missing = NEEDED.filter((name) => text(name) === '');
  const databaseUrl = postgresUrl(text('DATABASE_URL'));
  const s3 = missing.length === 0 ? s3Settings(text) : undefined;
  if (databaseUrl === undefined || s3 === undefined) {
    throw new StartProblem(`${path} lacks ${missing.join(', ')}.`);
  }
  const masterKey = longSecret('LONGSHORE_MASTER_KEY', text('LONGSHORE_MASTER_KEY'));
  return { databaseUrl: new Secret(databaseUrl), masterKey, s3 };
}
