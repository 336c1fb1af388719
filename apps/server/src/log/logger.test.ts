import { createSimulatedClock } from '@longshore/testkit';
import { expect, it } from 'vitest';
import { createLogger } from './logger.ts';

function written({ isTTY }: { isTTY: boolean }) {
  const texts: string[] = [];
  const clock = createSimulatedClock();
  const output = { isTTY, write: (text: string) => texts.push(text) };
  return { ...createLogger({ level: 'info', output, clock }), clock, texts };
}

it.each([[true], [false]])('never prints a secret, terminal %s', (isTTY) => {
  const { log, texts } = written({ isTTY });
  log.info({ password: 'hunter2', user: { refreshToken: 'hunter2' } }, 'signed in');
  expect(texts.join('')).toContain('signed in');
  expect(texts.join('')).not.toContain('hunter2');
});

it('writes a short line for a person, at once', () => {
  const { requests, texts } = written({ isTTY: true });
  requests.info({ status: 200 }, 'GET /');
  expect(texts.join('')).toMatch(/^\d\d:\d\d:\d\d info GET \/ status=200\n$/);
});

it('writes JSON for a machine', () => {
  const { requests, flush, texts } = written({ isTTY: false });
  requests.info({ status: 200 }, 'GET /');
  flush();
  expect(JSON.parse(texts.join(''))).toMatchObject({ level: 30, msg: 'GET /', status: 200 });
});

const saidIn = (text: string | undefined) =>
  text
    ?.trim()
    .split('\n')
    .map((line) => JSON.parse(line).msg);

it('writes the requests of a tenth of a second together', async () => {
  const { requests, clock, texts } = written({ isTTY: false });
  requests.info('first');
  requests.info('second');
  expect(texts).toEqual([]);
  await clock.advance(100);
  expect(texts.map(saidIn)).toEqual([['first', 'second']]);
});

it('lets no other line wait, and keeps the order', () => {
  const { log, requests, texts } = written({ isTTY: false });
  requests.info('asked');
  log.warn('lost');
  expect(texts.map(saidIn)).toEqual([['asked', 'lost']]);
});

it('keeps no more than a few lines waiting', () => {
  const { requests, texts } = written({ isTTY: false });
  for (let count = 0; count < 1_000; count += 1) requests.info('asked');
  expect(texts.length).toBeGreaterThan(1);
});
