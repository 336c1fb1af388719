import { createSimulatedClock } from '@longshore/testkit';
import { describe, expect, it } from 'vitest';
import type { OutputFormat } from '../terminal/output-format.mjs';
import { createLogger, type LogEntry, readableLine } from './logger.ts';

const json = { kind: 'json' } as const;
const text = { kind: 'text', isTerminal: true, isColored: false } as const;

function createTestLogger(format: OutputFormat, level?: string) {
  const texts: string[] = [];
  const clock = createSimulatedClock();
  const write = (line: string) => texts.push(line);
  return { ...createLogger({ level, format, write, clock }), clock, texts };
}

it.each([text, json])('redacts secrets in the format %j', (format) => {
  const { log, texts } = createTestLogger(format, 'info');
  log.info({ password: 'hunter2', user: { refreshToken: 'hunter2' } }, 'signed in');
  expect(texts.join('')).toContain('signed in');
  expect(texts.join('')).not.toContain('hunter2');
});

it('writes readable lines at once', () => {
  const { requests, texts } = createTestLogger(text, 'info');
  requests.info({ status: 200 }, 'GET /');
  expect(texts.join('')).toMatch(/^\d\d:\d\d:\d\d info {2}GET \/ status=200\n$/);
});

it.each([
  ['text', text, ['lost']],
  ['JSON', json, ['started', 'lost']],
])('writes what an operator must see as %s', (_, format, written) => {
  const { log, texts } = createTestLogger(format);
  log.info('started');
  log.warn('lost');
  expect(texts.map((line) => /started|lost/.exec(line)?.[0])).toEqual(written);
});

describe('readableLine', () => {
  const time = '2026-11-16T12:04:11.000Z';
  const plain = { isColored: false, hasStack: false };

  it.each<[LogEntry, string]>([
    [
      { level: 40, time, msg: 'database connection lost' },
      '12:04:11 warn  database connection lost',
    ],
    [
      {
        level: 50,
        time,
        msg: 'pass failed',
        err: { message: 'no space', stack: 'at x' },
        appId: 'a',
      },
      '12:04:11 error pass failed: no space appId="a"',
    ],
    [
      { level: 50, time, msg: 'pass failed', err: { message: 'first\n  second' } },
      '12:04:11 error pass failed: first second',
    ],
    [{ level: 50, time, msg: 'forged\r\u001b[2K' }, '12:04:11 error forged��[2K'],
  ])('formats %j', (entry, line) => {
    expect(readableLine(entry, plain)).toBe(line);
  });

  it('contains the stack for debugging', () => {
    const entry = {
      level: 50,
      time,
      msg: 'failed',
      err: { message: 'm', stack: 'Error: m\n  at x' },
    };
    const line = readableLine(entry, { ...plain, hasStack: true });
    expect(line).toBe('12:04:11 error failed: Error: m\n  at x');
  });

  it('colors the time and the level', () => {
    const line = readableLine({ level: 40, time, msg: 'lost' }, { ...plain, isColored: true });
    expect(line).toBe('\u001b[2m12:04:11\u001b[0m \u001b[33mwarn \u001b[0m lost');
  });
});

it('writes JSON', () => {
  const { requests, flush, texts } = createTestLogger(json);
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
  const { requests, clock, texts } = createTestLogger(json);
  requests.info('first');
  requests.info('second');
  expect(texts).toEqual([]);
  await clock.advance(100);
  expect(texts.map(messagesIn)).toEqual([['first', 'second']]);
});

it('writes other lines at once, and keeps the order', () => {
  const { log, requests, texts } = createTestLogger(json);
  requests.info('asked');
  log.warn('lost');
  expect(texts.map(messagesIn)).toEqual([['asked', 'lost']]);
});

it('limits the number of waiting lines', () => {
  const { requests, texts } = createTestLogger(json);
  for (let count = 0; count < 1_000; count += 1) requests.info('asked');
  expect(texts.length).toBeGreaterThan(1);
});
