import type { LiveObserver, Services } from '@longshore/client';
import type { Release, Resource } from '@longshore/contract';
import { describe, expect, it, vi } from 'vitest';
import { anApp, aProject, aRelease } from '../../test/resources.ts';
import { createLiveBackend } from './live-backend.ts';

function openLive() {
  let observer: LiveObserver<Resource[]> | undefined;
  let isStopped = false;
  const client = {
    resources: {
      live: (_: string, given: LiveObserver<Resource[]>) => {
        observer = given;
        return () => {
          isStopped = true;
        };
      },
      createApp: async () => ({ ok: true, id: 'new' }),
      deleteResource: async () => ({
        ok: false,
        error: { status: 400, error: 'bad', message: 'It still has apps' },
      }),
    },
    releases: {
      live: (_: string, observer: LiveObserver<Release[]>) => {
        observer.next([aRelease()]);
        observer.error?.({ status: 500, error: 'unknown', message: 'Away' });
        return () => undefined;
      },
      redeploy: async (id: string) => ({ ok: true, id }),
      rollBack: async (id: string, release: number) =>
        release === 1
          ? { ok: true, id }
          : { ok: false, error: { status: 200, error: 'conflict', message: 'Too late' } },
    },
    graphql: { connection: { state: () => 'open', subscribe: () => () => undefined } },
    logs: {},
  } as unknown as Services;
  return {
    live: createLiveBackend(client, 'u1'),
    say: (resources: Resource[]) => observer?.next(resources),
    fail: (message: string) => observer?.error?.({ status: 500, error: 'unknown', message }),
    isStopped: () => isStopped,
  };
}

describe('the live list', () => {
  it('loads, then shows every change', () => {
    const { live, say } = openLive();
    expect(live.resources.state()).toEqual({ kind: 'loading' });
    say([aProject()]);
    expect(live.resources.state()).toEqual({ kind: 'ready', resources: [aProject()] });
  });

  it('says why it cannot load, but keeps what it already has', () => {
    const { live, say, fail } = openLive();
    fail('Forbidden');
    expect(live.resources.state()).toEqual({ kind: 'failed', message: 'Forbidden' });
    say([]);
    fail('Gone for a moment');
    expect(live.resources.state()).toEqual({ kind: 'ready', resources: [] });
  });

  it('ends when it is stopped', () => {
    const { live, isStopped } = openLive();
    live.stop();
    expect(isStopped()).toBe(true);
  });

  it('that was stopped answers no wish any more, so that no screen is opened over the sign-in page', async () => {
    const { live, say } = openLive();
    say([anApp({ id: 'new' })]);
    let answers = 0;
    void live.resources.createApp(anApp().values).then(() => answers++);
    void live.resources.deleteResource('a1').then(() => answers++);
    live.stop();
    await new Promise((resolve) => setImmediate(resolve));
    expect(answers).toBe(0);
  });

  it('has a new app before its creation is answered, so that its page can be opened', async () => {
    const { live, say } = openLive();
    let isAnswered = false;
    const creating = live.resources.createApp(anApp().values).then((outcome) => {
      isAnswered = true;
      return outcome;
    });
    say([]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(isAnswered).toBe(false);
    say([anApp({ id: 'new' })]);
    expect(await creating).toEqual({ ok: true, id: 'new' });
  });

  it('does not wait for a new app forever', async () => {
    vi.useFakeTimers();
    const creating = openLive().live.resources.createApp(anApp().values);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await creating).toEqual({ ok: true, id: 'new' });
    vi.useRealTimers();
  });

  it('hands the server’s sentence on when a mutation fails', async () => {
    const outcome = await openLive().live.resources.deleteResource('p1');
    expect(outcome).toEqual({ ok: false, message: 'It still has apps' });
  });
});

describe('the releases', () => {
  it('are handed on as they come, with why they do not', () => {
    const told: unknown[] = [];
    const tell = (what: unknown) => void told.push(what);
    openLive().live.releases.live('app', { next: tell, error: tell });
    expect(told).toEqual([[aRelease()], 'Away']);
  });

  it('are made again', async () => {
    expect(await openLive().live.releases.redeploy('app')).toEqual({ ok: true, id: 'app' });
  });

  it('are gone back to, or say why not', async () => {
    const { releases } = openLive().live;
    expect(await releases.rollBack('app', 1)).toEqual({ ok: true, id: 'app' });
    expect(await releases.rollBack('app', 2)).toEqual({
      ok: false,
      message: 'Too late',
      isConflict: true,
    });
  });
});
