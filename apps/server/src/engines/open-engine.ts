import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Isolation } from '../sandbox/isolation.ts';
import type { Engine } from './engine.ts';
import { readJson, writeJson } from './json-file.ts';

/**
 * `isolation`: whether apps of several accounts are protected from each other, now. Not asked from an engine that only removes
 * its apps.
 */
export type ClosableEngine = Engine & { isolation(): Promise<Isolation>; close(): Promise<void> };

export type EngineKind = 'process' | 'docker' | 'kubernetes';

/** `reason`: why this engine was chosen, for the operator. */
export type OpenedEngine = { engine: ClosableEngine; reason: string };

/** The engine that runs apps, and engines used before whose apps still have to be removed. */
export type EngineChoice = { kind: EngineKind; replaced: EngineKind[] };

export type EngineFactories = {
  dataDir: string;
  configuredKind: 'auto' | EngineKind;
  isDockerAvailable(): Promise<boolean>;
  /** Throws when this engine cannot run here. The choice of another engine stays as it is then. */
  requireAvailable(kind: EngineKind): Promise<void>;
  create: Record<EngineKind, () => Promise<ClosableEngine>>;
  logError(error: unknown): void;
};

/**
 * Opens the engine that runs apps and removes the apps of engines used before. An engine that cannot be reached does not block
 * the start: its apps are removed at a later one.
 */
export async function openEngine(
  factories: EngineFactories,
  signal: AbortSignal,
): Promise<OpenedEngine> {
  const { dataDir, configuredKind, create, logError } = factories;
  const previous = await readEngineChoice(dataDir);
  const isDockerAvailable = configuredKind === 'auto' && (await factories.isDockerAvailable());
  const choice = chooseEngine({ configuredKind, previous, isDockerAvailable });
  await factories.requireAvailable(choice.kind);
  await writeEngineChoice(dataDir, choice);
  const notCleared: EngineKind[] = [];
  for (const kind of choice.replaced) {
    const isCleared = await removeAllApps(create[kind], signal).catch((error: unknown) => {
      signal.throwIfAborted();
      logError(error);
      return false;
    });
    if (!isCleared) notCleared.push(kind);
  }
  await writeEngineChoice(dataDir, { kind: choice.kind, replaced: notCleared });
  return {
    engine: await create[choice.kind](),
    reason: engineReason({ configuredKind, previous, isDockerAvailable }),
  };
}

async function removeAllApps(
  create: () => Promise<ClosableEngine>,
  signal: AbortSignal,
): Promise<true> {
  const engine = await create();
  try {
    for (const appId of await engine.listApps(signal)) await engine.removeApp(appId, signal);
    return true;
  } finally {
    await engine.close();
  }
}

type EngineOptions = {
  configuredKind: EngineFactories['configuredKind'];
  previous: EngineChoice | undefined;
  isDockerAvailable: boolean;
};

/**
 * The choice is kept until the operator configures another engine: when Docker starts later than this server, the apps must not
 * be rebuilt as processes.
 */
export function chooseEngine({
  configuredKind,
  previous,
  isDockerAvailable,
}: EngineOptions): EngineChoice {
  const detected = isDockerAvailable ? 'docker' : 'process';
  const kind = configuredKind === 'auto' ? (previous?.kind ?? detected) : configuredKind;
  const used = previous === undefined ? [] : [previous.kind, ...previous.replaced];
  return { kind, replaced: [...new Set(used)].filter((other) => other !== kind) };
}

/** Why `chooseEngine` chose its engine. */
export function engineReason({ configuredKind, previous, isDockerAvailable }: EngineOptions) {
  if (configuredKind !== 'auto') return 'set by LONGSHORE_ENGINE';
  if (previous !== undefined) return 'chosen at the first start';
  return isDockerAvailable ? 'because Docker responds' : 'because Docker does not respond';
}

const KIND = z.enum(['process', 'docker', 'kubernetes']);
const STORED_CHOICE = z.object({ kind: KIND, left: z.array(KIND) });

/** Data directories without a stored choice but with apps are older than the Docker engine. */
export async function readEngineChoice(dataDir: string): Promise<EngineChoice | undefined> {
  const stored = await readJson(choicePath(dataDir), STORED_CHOICE);
  if (stored !== undefined) return { kind: stored.kind, replaced: stored.left };
  const apps = await readdir(join(dataDir, 'apps')).catch(() => []);
  return apps.length > 0 ? { kind: 'process', replaced: [] } : undefined;
}

async function writeEngineChoice(dataDir: string, { kind, replaced }: EngineChoice): Promise<void> {
  const stored: z.infer<typeof STORED_CHOICE> = { kind, left: replaced };
  await writeJson(choicePath(dataDir), stored);
}

function choicePath(dataDir: string): string {
  return join(dataDir, 'engine.json');
}
