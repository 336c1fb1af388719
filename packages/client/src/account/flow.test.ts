import { clientError } from '@longshore/contract';
import { settle } from '@longshore/testkit';
import { describe, expect, it } from 'vitest';
import type { AuthResponse } from '../auth/auth-api.ts';
import { createFlow, type FlowState } from './flow.ts';

type Kind = FlowState['kind'];

const failure = clientError('invalid-email');

describe('a flow', () => {
  it.each<[Kind, Kind, number]>([
    ['idle', 'requesting', 1],
    ['requesting', 'requesting', 1],
    ['success', 'requesting', 2],
    ['error', 'requesting', 2],
  ])('in state %s changes to %s on a request', async (from, to, calls) => {
    const started = await flowIn(from);
    void started.flow.request('again');
    expect(started.flow.state().kind).toBe(to);
    await settle();
    expect(started.signals).toHaveLength(calls);
    started.flow.stop();
  });

  it('stores the error', async () => {
    const { flow } = await flowIn('error');
    expect(flow.state()).toEqual({ kind: 'error', error: failure });
  });

  it('turns an exception into an error', async () => {
    const flow = createFlow<undefined>(async () => {
      throw new TypeError('oops');
    });
    expect(await flow.request(undefined)).toEqual({
      ok: false,
      error: { status: 1, error: 'TypeError', message: 'oops' },
    });
  });

  it('aborts the request when stopped', async () => {
    const { flow, signals } = await flowIn('idle');
    const result = flow.request('first');
    await settle();
    flow.stop();
    expect(await result).toMatchObject({ ok: false });
    expect(signals[0]?.aborted).toBe(true);
  });
});

async function flowIn(kind: Kind) {
  const signals: AbortSignal[] = [];
  let respond: (response: AuthResponse) => void = () => undefined;
  const flow = createFlow<string>((_, signal) => {
    signals.push(signal);
    return new Promise((resolve) => {
      respond = resolve;
    });
  });
  if (kind !== 'idle') void flow.request('first');
  await settle();
  if (kind === 'success') respond({ ok: true, body: 'OK' });
  if (kind === 'error') respond({ ok: false, error: failure });
  await settle();
  expect(flow.state().kind).toBe(kind);
  return { flow, signals };
}
