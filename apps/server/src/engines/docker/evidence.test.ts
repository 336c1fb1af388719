import { describe, expect, it } from 'vitest';
import { instanceOf } from './container.ts';
import { listeningEvidence } from './evidence.ts';

describe('listeningEvidence', () => {
  it.each([
    [undefined, []],
    [[], ['The app listens on no port']],
    [[{ host: '0B00007F', port: 41_234 }], ['The app listens on no port']],
    [
      [{ host: '127.0.0.1', port: 80 }],
      ['The app listens on port 80, but only for itself: 127.0.0.1', 'Make it listen on 0.0.0.0'],
    ],
    [
      [
        { host: '0.0.0.0', port: 8080 },
        { host: '[::]', port: 8080 },
      ],
      [
        'The app listens on port 8080',
        'Change the port of the app here, or make it listen on the port in the variable PORT',
      ],
    ],
  ])('of %j', (seen, lines) => {
    expect(listeningEvidence(80, seen)).toEqual(lines);
  });
});

describe('instanceOf', () => {
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
  ])('of a container with %j', (changes, expected) => {
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
      NetworkSettings: { Networks: {} },
      State: { ...state, ...changes },
    };
    expect(instanceOf(container)).toMatchObject({
      id: '2',
      release: 4,
      logName: 'app-3f2a91-2',
      address: { host: '127.0.0.1', port: 20_001 },
      state: expected,
    });
  });
});
