import { describe, expect, it } from 'vitest';
import { toInstance } from './container.ts';

describe('toInstance', () => {
  const state = {
    Status: 'running',
    Running: true,
    Restarting: false,
    OOMKilled: false,
    ExitCode: 0,
    Pid: 1,
    StartedAt: '2026-11-15T09:00:00Z',
    FinishedAt: '2026-11-15T09:00:05Z',
    Error: '',
  };
  const at = new Date('2026-11-15T09:00:05Z');
  it.each([
    [{}, { kind: 'running' }],
    [
      { Running: false, ExitCode: 3 },
      { kind: 'exited', exit: { code: 3, signal: undefined, at } },
    ],
    [
      { Running: false, ExitCode: 137, OOMKilled: true },
      { kind: 'exited', exit: { code: undefined, signal: 'SIGKILL', at, isOutOfMemory: true } },
    ],
    [
      { Running: true, Restarting: true, ExitCode: 1 },
      { kind: 'exited', exit: { code: 1, signal: undefined, at } },
    ],
  ])('converts a container with %j', (changes, expected) => {
    const container = {
      Id: 'id',
      RestartCount: 0,
      Config: {
        Labels: {
          'dev.longshore.app': '3f2a91aa-0000-0000-0000-000000000000',
          'dev.longshore.release': '4',
          'dev.longshore.instance': '2',
          'dev.longshore.port': '20001',
        },
      },
      HostConfig: {},
      NetworkSettings: { Networks: {} },
      State: { ...state, ...changes },
    };
    expect(toInstance(container)).toMatchObject({
      id: '2',
      release: 4,
      logName: 'app-3f2a91-2',
      address: { host: '127.0.0.1', port: 20_001 },
      state: expected,
    });
  });
});
