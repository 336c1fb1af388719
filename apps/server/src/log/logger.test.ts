import { createSimulatedClock } from '@longshore/testkit';
import { expect, it } from 'vitest';
import { createLogger } from './logger.ts';

function createTestLogger({ isTTY }: { isTTY: boolean }) {
  const texts: string[] = [];
  const clock = createSimulatedClock();
  const output = { isTTY, write: (text: string) => texts.push(text) };
  return { ...createLogger({ level: 'info', output, clock }), clock, texts };
}

it.each([[true], [false]])('redacts secrets, terminal %s', (isTTY) => {
  const { log, texts } = createTestLogger({ isTTY });
  log.info({ password: 'hunter2', user: { refreshToken: 'hunter2' } }, 'signed in');
  expect(texts.join('')).toContain('signed in');
  expect(texts.join('')).not.toContain('hunter2');
});

it('writes a readable line to a terminal at once', () => {
  const { requests, texts } = createTestLogger({ isTTY: true });
  requests.info({ status: 200 }, 'GET /');
  expect(texts.join('')).toMatch(/^\d\d:\d\d:\d\d info GET \/ status=200\n$/);
});

it('writes JSON if there is no terminal', () => {
  const { requests, flush, texts } = createTestLogger({ isTTY: false });
  requests.info({ status: 200 }, 'GET /');
  flush();
  expect(JSON.parse(texts.join(''))).toMatchObject({ level: 30, msg: 'GET /', status: 200 });
});

const messagesIn = (text: string | undefined) =>
  text
    ?.trim()
    .split('\n')
    .map((line) => JSON.parse(line).msg);

it('writes the requests of a tenth of a second together', async () => {
  const { requests, clock, texts } = createTestLogger({ isTTY: false });
  requests.info('first');
  requests.info('second');
  expect(texts).toEqual([]);
  await clock.advance(100);
  expect(texts.map(messagesIn)).toEqual([['first', 'second']]);
});

it('writes other lines at once, and keeps the order', () => {
  const { log, requests, texts } = createTestLogger({ isTTY: false });
  requests.info('asked');
  log.warn('lost');
  expect(texts.map(messagesIn)).toEqual([['asked', 'lost']]);
});

it('limits the number of waiting lines', () => {
  const { requests, texts } = createTestLogger({ isTTY: false });
  for (let count = 0; count < 1_000; count += 1) requests.info('asked');
  expect(texts.length).toBeGreaterThan(1);
});
