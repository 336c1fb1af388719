import { createSimulatedClock } from '@longshore/testkit';
import { expect, it } from 'vitest';
import { retryReads } from './retry-reads.ts';

async function sentWith(init: RequestInit | undefined, error: Error): Promise<number> {
  const clock = createSimulatedClock();
  let sent = 0;
  const fetch = retryReads(async () => {
    sent += 1;
    if (sent === 1) throw error;
    return new Response();
  }, clock);
  const response = fetch('https://console.test/v1/connect', init).catch(() => undefined);
  await clock.advance(1_000);
  await response;
  return sent;
}

const broken = new TypeError('Failed to fetch');

it.each([
  ['a request without a method', undefined, broken, 2],
  ['a GET', { method: 'GET' }, broken, 2],
  ['a POST', { method: 'POST' }, broken, 1],
  ['a DELETE', { method: 'DELETE' }, broken, 1],
  ['an aborted GET', { signal: AbortSignal.abort() }, broken, 1],
  ['a GET that timed out', {}, new DOMException('Timed out', 'TimeoutError'), 1],
])(
  '%s whose connection breaks is sent the expected number of times',
  async (_, init, error, sent) => {
    expect(await sentWith(init, error)).toBe(sent);
  },
);
