import type { LiveObserver, Services } from '@longshore/client';
import type { Resource } from '@longshore/contract';
import { describe, expect, it, vi } from 'vitest';
import { anApp, aProject } from '../../test/resources.ts';
import { startSession } from './signed-in-session.ts';

function start() {
  let observer: LiveObserver<Resource[]> | undefined;
  let isUnsubscribed = false;
  const services = {
    resources: {
      live: (_: string, subscriber: LiveObserver<Resource[]>) => {
        observer = subscriber;
        return () => {
          isUnsubscribed = true;
        };
      },
      createApp: async () => ({ ok: true, id: 'new' }),
      deleteResource: async () => ({
        ok: false,
        error: { status: 400, error: 'bad', message: 'It still has apps' },
      }),
    },
  } as unknown as Services;
  return {
    session: startSession(services, 'u1'),
    send: (resources: Resource[]) => observer?.next(resources),
    fail: (message: string) => observer?.error?.({ status: 500, error: 'unknown', message }),
    isUnsubscribed: () => isUnsubscribed,
  };
}

describe('the live list of resources', () => {
  it('loads, then shows every change', () => {
    const { session, send } = start();
    expect(session.resources.state()).toEqual({ kind: 'loading' });
    send([aProject()]);
    expect(session.resources.state()).toEqual({ kind: 'ready', resources: [aProject()] });
  });

  it('shows the error when loading fails, but keeps resources that are already loaded', () => {
    const { session, send, fail } = start();
    fail('Forbidden');
    expect(session.resources.state()).toEqual({ kind: 'failed', message: 'Forbidden' });
    send([]);
    fail('Gone for a moment');
    expect(session.resources.state()).toEqual({ kind: 'ready', resources: [] });
  });

  it('ends when the session is stopped', () => {
    const { session, isUnsubscribed } = start();
    session.stop();
    expect(isUnsubscribed()).toBe(true);
  });
});

describe('a mutation', () => {
  it('never resolves after the session was stopped, so that nothing navigates away from the sign-in page', async () => {
    const { session, send } = start();
    send([anApp({ id: 'new' })]);
    let resolved = 0;
    void session.mutations.createApp(anApp().values).then(() => resolved++);
    void session.mutations.deleteResource('a1').then(() => resolved++);
    session.stop();
    await new Promise((resolve) => setImmediate(resolve));
    expect(resolved).toBe(0);
  });

  it('that creates an app resolves when the app is in the list, so that its page can be opened', async () => {
    const { session, send } = start();
    let isResolved = false;
    const creating = session.mutations.createApp(anApp().values).then((result) => {
      isResolved = true;
      return result;
    });
    send([]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(isResolved).toBe(false);
    send([anApp({ id: 'new' })]);
    expect(await creating).toEqual({ ok: true, id: 'new' });
  });

  it('that creates an app does not wait for the list forever', async () => {
    vi.useFakeTimers();
    const creating = start().session.mutations.createApp(anApp().values);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await creating).toEqual({ ok: true, id: 'new' });
    vi.useRealTimers();
  });

  it('returns the error of the server', async () => {
    const result = await start().session.mutations.deleteResource('p1');
    expect(result).toMatchObject({ ok: false, error: { message: 'It still has apps' } });
  });
});
