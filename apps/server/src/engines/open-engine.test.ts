import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFakeEngine } from '@longshore/testkit/engine';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chooseEngine, engineBefore } from './chosen-engine.ts';
import { EngineFailure } from './failure.ts';
import { openEngine } from './open-engine.ts';

const docker = { kind: 'docker', left: [] } as const;
const processes = { kind: 'process', left: [] } as const;

it.each([
  ['auto', undefined, true, docker],
  ['auto', undefined, false, processes],
  ['auto', processes, true, processes],
  ['auto', docker, false, docker],
  ['process', docker, true, { kind: 'process', left: ['docker'] }],
  ['docker', { kind: 'process', left: ['docker'] }, true, { kind: 'docker', left: ['process'] }],
  ['docker', undefined, false, docker],
] as const)(
  'for the wish %s, after %j, Docker answering: %s, chooses %j',
  (wished, before, isDockerAnswering, chosen) => {
    const given = before && { kind: before.kind, left: [...before.left] };
    expect(chooseEngine({ wished, before: given, isDockerAnswering })).toEqual(chosen);
  },
);

describe('openEngine', () => {
  const { signal } = new AbortController();
  const errors: unknown[] = [];
  let home: string;
  let ran: ReturnType<typeof closable>;
  let isDown: boolean;

  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'longshore-choice-'));
    ran = closable();
    isDown = false;
    errors.length = 0;
  });
  afterEach(() => rm(home, { recursive: true }));

  it('takes away what another engine ran before', async () => {
    await open('docker');
    await ran.build(specOf('app'), () => {}, signal);
    await open('process');
    expect(await ran.listApps(signal)).toEqual([]);
    expect(await engineBefore(home)).toEqual(processes);
  });

  it('starts although the engine before does not answer, and clears it once it does', async () => {
    await open('docker');
    await ran.build(specOf('app'), () => {}, signal);
    isDown = true;
    await open('process');
    expect(errors).toHaveLength(1);
    expect(await engineBefore(home)).toEqual({ kind: 'process', left: ['docker'] });
    isDown = false;
    await open('auto');
    expect(await ran.listApps(signal)).toEqual([]);
    expect(await engineBefore(home)).toEqual(processes);
  });

  it('goes on with processes where apps ran before there was a choice', async () => {
    await mkdir(join(home, 'apps', 'one'), { recursive: true });
    await open('auto');
    expect(await engineBefore(home)).toEqual(processes);
  });

  function open(wished: 'auto' | 'docker' | 'process') {
    return openEngine(
      {
        home,
        wished,
        isDockerAnswering: async () => true,
        create: {
          docker: async () => {
            if (isDown) throw new EngineFailure('engine-down');
            return ran;
          },
          process: async () => closable(),
        },
        logError: (error) => errors.push(error),
      },
      signal,
    );
  }
});

function closable() {
  return Object.assign(createFakeEngine({ clock: { now: () => 0 } }), { close: async () => {} });
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
  };
}
