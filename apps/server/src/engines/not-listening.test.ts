import { describe, expect, it } from 'vitest';
import type { Reason } from './failure.ts';
import { type NotListening, notListeningFailure } from './not-listening.ts';

describe('notListeningFailure', () => {
  const all = { host: '0.0.0.0', port: 8080 };
  it.each<[NotListening['listening'], Reason, string[]]>([
    [undefined, 'port-never-answered', []],
    [[], 'port-never-answered', ['The app does not listen on any port']],
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
      isLoopbackReached: true,
      lines: ['ready'],
    });
    expect(failure.reason).toBe(reason);
    const isElsewhere = reason === 'listens-elsewhere';
    expect(failure.fixes).toEqual(isElsewhere ? [{ kind: 'port', port: 8080 }] : []);
    expect(failure.evidence).toEqual(['No connection on port 80 within 60 s', ...found, 'ready']);
  });

  it.each<[boolean, NotListening['listening'], Reason, string]>([
    [
      false,
      [{ host: '127.0.0.1', port: 3000 }],
      'listens-on-loopback',
      'The app listens on 127.0.0.1 port 3000',
    ],
    [
      false,
      [{ host: '127.0.0.1', port: 3000 }, all],
      'listens-elsewhere',
      'The app listens on port 3000, 8080, but port 80 is configured',
    ],
    [
      true,
      [{ host: '127.0.0.1', port: 3000 }],
      'listens-elsewhere',
      'The app listens on port 3000, but port 80 is configured',
    ],
  ])(
    'with loopback reached: %j, for an app on %j is %s',
    (isLoopbackReached, listening, reason, found) => {
      const failure = notListeningFailure({
        port: 80,
        waitedSeconds: 60,
        listening,
        isLoopbackReached,
        lines: [],
      });
      expect(failure.reason).toBe(reason);
      expect(failure.evidence).toContain(found);
    },
  );
});
