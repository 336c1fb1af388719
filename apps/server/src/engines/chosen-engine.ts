import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { readJson, writeJson } from './json-file.ts';

export type ChosenKind = 'process' | 'docker';

/** What runs apps here, and which engines ran them before and still have to be cleared. */
export type Chosen = { kind: ChosenKind; left: ChosenKind[] };

export type Choice = {
  /** What the operator said. */
  wished: 'auto' | ChosenKind;
  before: Chosen | undefined;
  isDockerAnswering: boolean;
};

const KIND = z.enum(['process', 'docker']);
const SCHEMA = z.object({ kind: KIND, left: z.array(KIND) });

/**
 * What runs apps. Once chosen it stays until the operator says otherwise: a Docker that comes up later than we do must
 * not have all apps built anew as processes.
 */
export function chooseEngine({ wished, before, isDockerAnswering }: Choice): Chosen {
  const first = isDockerAnswering ? 'docker' : 'process';
  const kind = wished === 'auto' ? (before?.kind ?? first) : wished;
  const used = before === undefined ? [] : [before.kind, ...before.left];
  return { kind, left: [...new Set(used)].filter((other) => other !== kind) };
}

/** Before engines were remembered, there was one only. */
export async function engineBefore(home: string): Promise<Chosen | undefined> {
  const chosen = await readJson(pathOf(home), SCHEMA);
  if (chosen !== undefined) return chosen;
  const apps = await readdir(join(home, 'apps')).catch(() => []);
  return apps.length > 0 ? { kind: 'process', left: [] } : undefined;
}

export async function rememberEngine(home: string, chosen: Chosen): Promise<void> {
  await writeJson(pathOf(home), chosen);
}

function pathOf(home: string): string {
  return join(home, 'engine.json');
}
