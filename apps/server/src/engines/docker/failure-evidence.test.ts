import { describe, expect, it } from 'vitest';
import type { Reason } from '../failure.ts';
import { toInstance } from './container.ts';
import { type NotListening, notListeningFailure } from './failure-evidence.ts';

describe('notListeningFailure', () => {
  const all = { host: '0.0.0.0', port: 8080 };
  it.each<[NotListening['listening'], Reason, string[]]>([
    [undefined, 'port-never-answered', []],
    [[], 'port-never-answered', ['The app does not listen on any port']],
    [
      [{ host: '0B00007F', port: 41_234 }],
      'port-never-answered',
      ['The app does not listen on any port'],
    ],
    [
      [{ host: '127.0.0.1', port: 80 }, all],
      'listens-on-loopback',
      ['The app listens on 127.0.0.1 port 80'],
    ],
    [
      [
        { host: '127.0.0.1', port: 80 },
        { host: '0.0.0.0', port: 80 },
      ],
      'port-never-answered',
      ['The app listens on 127.0.0.1, 0.0.0.0 port 80'],
    ],
    [
      [all, { host: '[::]', port: 8080 }],
      'listens-elsewhere',
      [
        'The app listens on port 8080, but port 80 is configured',
        'Change the port to 8080, or make the app listen on port 80',
      ],
    ],
  ])('for an app that listens on %j is %s', (listening, reason, found) => {
    const failure = notListeningFailure({
      port: 80,
      waitedSeconds: 60,
      listening,
      lines: ['ready'],
    });
    expect(failure.reason).toBe(reason);
    expect(failure.evidence).toEqual(['No connection on port 80 within 60 s', ...found, 'ready']);
  });
});

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
