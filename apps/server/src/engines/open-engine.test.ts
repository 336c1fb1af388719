import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFakeEngine } from '@longshore/testkit/engine';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DEFAULT_SIZE } from '../../test/tiers.ts';
import { EngineFailure } from './failure.ts';
import { chooseEngine, engineReason, openEngine, readEngineChoice } from './open-engine.ts';

const docker = { kind: 'docker', replaced: [] } as const;
const processes = { kind: 'process', replaced: [] } as const;

it.each([
  ['auto', undefined, true, docker, 'because Docker responds'],
  ['auto', undefined, false, processes, 'because Docker does not respond'],
  ['auto', processes, true, processes, 'chosen at the first start'],
  ['auto', docker, false, docker, 'chosen at the first start'],
  ['process', docker, true, { kind: 'process', replaced: ['docker'] }, 'set by LONGSHORE_ENGINE'],
  [
    'docker',
    { kind: 'process', replaced: ['docker'] },
    true,
    { kind: 'docker', replaced: ['process'] },
    'set by LONGSHORE_ENGINE',
  ],
  ['docker', undefined, false, docker, 'set by LONGSHORE_ENGINE'],
] as const)(
  'configured as %s, after %j, with Docker available: %s, chooses %j, %s',
  (configuredKind, stored, isDockerAvailable, choice, reason) => {
    const previous = stored && { kind: stored.kind, replaced: [...stored.replaced] };
    const options = { configuredKind, previous, isDockerAvailable };
    expect(chooseEngine(options)).toEqual(choice);
    expect(engineReason(options)).toBe(reason);
  },
);

describe('openEngine', () => {
  const { signal } = new AbortController();
  const errors: unknown[] = [];
  let dataDir: string;
  let dockerEngine: ReturnType<typeof createClosableEngine>;
  let isDockerDown: boolean;

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'longshore-choice-'));
    dockerEngine = createClosableEngine();
    isDockerDown = false;
    errors.length = 0;
  });
  afterEach(() => rm(dataDir, { recursive: true }));

  it('removes the apps of the engine used before', async () => {
    await open('docker');
    await dockerEngine.build(specOf('app'), () => {}, signal);
    await open('process');
    expect(await dockerEngine.listApps(signal)).toEqual([]);
    expect(await readEngineChoice(dataDir)).toEqual(processes);
  });

  it('starts when the engine used before is unreachable, and removes its apps later', async () => {
    await open('docker');
    await dockerEngine.build(specOf('app'), () => {}, signal);
    isDockerDown = true;
    await open('process');
    expect(errors).toHaveLength(1);
    expect(await readEngineChoice(dataDir)).toEqual({ kind: 'process', replaced: ['docker'] });
    expect(await readFile(join(dataDir, 'engine.json'), 'utf8')).toBe(
      '{"kind":"process","left":["docker"]}',
    );
    isDockerDown = false;
    await open('auto');
    expect(await dockerEngine.listApps(signal)).toEqual([]);
    expect(await readEngineChoice(dataDir)).toEqual(processes);
  });

  it('keeps the process engine for apps that are older than the stored choice', async () => {
    await mkdir(join(dataDir, 'apps', 'one'), { recursive: true });
    await open('auto');
    expect(await readEngineChoice(dataDir)).toEqual(processes);
  });

  it('removes nothing when the configured engine cannot run here', async () => {
    await open('docker');
    await dockerEngine.build(specOf('one'), () => {}, signal);
    await expect(open('kubernetes')).rejects.toThrow('The cluster cannot be reached');
    expect(await dockerEngine.listApps(signal)).toEqual(['one']);
    expect(await readEngineChoice(dataDir)).toEqual({ kind: 'docker', replaced: [] });
  });

  function open(configuredKind: 'auto' | 'docker' | 'process' | 'kubernetes') {
    return openEngine(
      {
        dataDir,
        configuredKind,
        isDockerAvailable: async () => true,
        async requireAvailable(kind) {
          if (kind === 'kubernetes') throw new Error('The cluster cannot be reached');
        },
        create: {
          docker: async () => {
            if (isDockerDown) throw new EngineFailure('engine-down');
            return dockerEngine;
          },
          process: async () => createClosableEngine(),
          kubernetes: async () => createClosableEngine(),
        },
        logError: (error) => errors.push(error),
      },
      signal,
    );
  }
});

function createClosableEngine() {
  return Object.assign(createFakeEngine({ clock: { now: () => 0 } }), {
    isolation: async () => ({ kind: 'isolated' }) as const,
    close: async () => {},
  });
}

function specOf(appId: string) {
  return {
    appId,
    ownerId: 'ada',
    projectId: 'project',
    name: 'shop',
    number: 1,
    origin: { kind: 'git', url: 'https://example.com/a.git', ref: 'main' } as const,
    env: {},
    ports: [],
    size: DEFAULT_SIZE,
  };
}
