import {
  type Choice,
  type ChosenKind,
  chooseEngine,
  engineBefore,
  rememberEngine,
} from './chosen-engine.ts';
import type { Engine } from './engine.ts';

export type ClosableEngine = Engine & { close(): Promise<void> };

export type EngineChoices = {
  home: string;
  wished: Choice['wished'];
  isDockerAnswering(): Promise<boolean>;
  create: Record<ChosenKind, () => Promise<ClosableEngine>>;
  logError(error: unknown): void;
};

/**
 * Opens what runs apps. What another engine ran before is taken away; if that one does not answer, with a later start, so that
 * nothing stands in the way of this one.
 */
export async function openEngine(
  { home, wished, create, logError, ...choices }: EngineChoices,
  signal: AbortSignal,
): Promise<ClosableEngine> {
  const before = await engineBefore(home);
  const isDockerAnswering = wished === 'auto' && (await choices.isDockerAnswering());
  const chosen = chooseEngine({ wished, before, isDockerAnswering });
  await rememberEngine(home, chosen);
  const left: ChosenKind[] = [];
  for (const kind of chosen.left) {
    const isCleared = await clear(create[kind], signal).catch((error: unknown) => {
      signal.throwIfAborted();
      logError(error);
      return false;
    });
    if (!isCleared) left.push(kind);
  }
  await rememberEngine(home, { ...chosen, left });
  return await create[chosen.kind]();
}

async function clear(create: () => Promise<ClosableEngine>, signal: AbortSignal): Promise<true> {
  const engine = await create();
  try {
    for (const appId of await engine.listApps(signal)) await engine.removeApp(appId, signal);
    return true;
  } finally {
    await engine.close();
  }
}
