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
  ])('in %s takes a request: %s', async (from, to, calls) => {
    const world = await flowIn(from);
    void world.flow.request('again');
    expect(world.flow.state().kind).toBe(to);
    await settle();
    expect(world.asked).toHaveLength(calls);
    world.flow.stop();
  });

  it('tells what went wrong', async () => {
    const { flow } = await flowIn('error');
    expect(flow.state()).toEqual({ kind: 'error', error: failure });
  });

  it('survives a fault of ours', async () => {
    const flow = createFlow<undefined>(async () => {
      throw new TypeError('oops');
    });
    expect(await flow.request(undefined)).toEqual({
      ok: false,
      error: { status: 1, error: 'TypeError', message: 'oops' },
    });
  });

  it('calls the request off when stopped', async () => {
    const { flow, asked } = await flowIn('idle');
    const result = flow.request('first');
    await settle();
    flow.stop();
    expect(await result).toMatchObject({ ok: false });
    expect(asked[0]?.aborted).toBe(true);
  });
});

async function flowIn(kind: Kind) {
  const asked: AbortSignal[] = [];
  let answer: (answer: AuthResponse) => void = () => undefined;
  const flow = createFlow<string>((_, signal) => {
    asked.push(signal);
    return new Promise((resolve) => {
      answer = resolve;
    });
  });
  if (kind !== 'idle') void flow.request('first');
  await settle();
  if (kind === 'success') answer({ ok: true, body: 'OK' });
  if (kind === 'error') answer({ ok: false, error: failure });
  await settle();
  expect(flow.state().kind).toBe(kind);
  return { flow, asked };
}
