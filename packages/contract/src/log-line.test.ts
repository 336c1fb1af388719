import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  accessLogName,
  buildLogName,
  formatLogLine,
  instanceLogName,
  logSourceOf,
  parseJsonLogLine,
  parseLogLine,
  processInstanceOf,
} from './log-line.ts';

const ID = '3f2a91c4-7b0e-4d53-9a61-0c2f8e5d1b77';

describe('log names', () => {
  it('of instances contain the first digits of the app id', () => {
    expect(instanceLogName(ID, 1)).toBe('app-3f2a91-1');
    expect(instanceLogName(ID, 2, 'worker')).toBe('app-3f2a91-worker.2');
  });

  it('of builds contain the first digits of the app id', () => {
    expect(buildLogName(ID, 7)).toBe('app-3f2a91-build-7');
  });

  it('of requests contain the first digits of the app id', () => {
    expect(accessLogName(ID)).toBe('app-3f2a91-access');
  });

  it('tell instances of other processes than web', () => {
    expect(processInstanceOf(instanceLogName(ID, 2, 'mail-sender'))).toBe('mail-sender.2');
    expect(processInstanceOf(instanceLogName(ID, 2))).toBeUndefined();
    expect(processInstanceOf(buildLogName(ID, 2))).toBeUndefined();
  });

  it('distinguish instances and builds for any id', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.nat(), (id, number) => {
        expect(logSourceOf(instanceLogName(id, number))).toBe('app');
        expect(logSourceOf(buildLogName(id, number))).toBe('build');
        expect(logSourceOf(accessLogName(id))).toBe('access');
      }),
    );
  });

  it.each([
    ['app-3f2a91-build-7', 'build'],
    ['x-build-', 'build'],
    ['app-3f2a91-1', 'app'],
    ['app-3f2a91-worker.2', 'app'],
    ['app-3f2a91-access.2', 'app'],
    ['app-3f2a91-command-1.2', 'app'],
    ['app-3f2a91-access', 'access'],
    ['app-access-1', 'app'],
    ['build-7', 'app'],
    ['app-build', 'app'],
    ['', 'app'],
  ])('%j belongs to the %s log', (name, source) => {
    expect(logSourceOf(name)).toBe(source);
  });
});

describe('a log line', () => {
  it('is formatted as [name]: text', () => {
    expect(formatLogLine({ name: 'app-3f2a91-1', text: 'listening' })).toBe(
      '[app-3f2a91-1]: listening',
    );
  });

  it('is parsed back to what was formatted', () => {
    const name = fc.oneof(
      fc.tuple(fc.uuid(), fc.nat()).map(([id, number]) => instanceLogName(id, number)),
      fc.tuple(fc.uuid(), fc.nat()).map(([id, number]) => buildLogName(id, number)),
    );
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '',
        ' ',
        ']: ',
        '[a]: b',
        ' [x-build-1]: y',
        '\n[x-build-1]: y',
        '\r',
        '\u2028',
      ),
    );
    fc.assert(
      fc.property(name, text, (logName, logText) => {
        const line = formatLogLine({ name: logName, text: logText });
        expect(parseLogLine(line)).toEqual({
          name: logName,
          source: logSourceOf(logName),
          text: logText,
        });
      }),
    );
  });

  it.each([
    ['[a-1]:text', { name: 'a-1', source: 'app', text: 'text' }],
    ['[a-1]:  indented', { name: 'a-1', source: 'app', text: ' indented' }],
    ['[a-1]: ', { name: 'a-1', source: 'app', text: '' }],
    ['[a-1]:', { name: 'a-1', source: 'app', text: '' }],
    ['[]: text', { name: '', source: 'app', text: 'text' }],
    ['no name at all', { name: '', source: 'app', text: 'no name at all' }],
    ['[info] started', { name: '', source: 'app', text: '[info] started' }],
    [' [a-build-1]: text', { name: '', source: 'app', text: ' [a-build-1]: text' }],
    ['', { name: '', source: 'app', text: '' }],
  ])('is parsed from %j', (line, parsed) => {
    expect(parseLogLine(line)).toEqual(parsed);
  });

  it('is parsed from any text without throwing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (line) => {
        expect(line.endsWith(parseLogLine(line).text)).toBe(true);
      }),
    );
  });
});

describe('a forged line of an app', () => {
  it.each([
    '[app-3f2a91-build-7]: The build passed',
    ']: [app-3f2a91-build-7]: The build passed',
    '-build-',
    'my-build-tool: ready',
  ])('is still an app line: %s', (text) => {
    const line = formatLogLine({ name: instanceLogName(ID, 1), text });
    expect(parseLogLine(line)).toEqual({ name: 'app-3f2a91-1', source: 'app', text });
  });

  it('of an app named my-build-tool is not a build line', () => {
    const text = '> my-build-tool@1.0.0 start';
    expect(parseLogLine(formatLogLine({ name: instanceLogName(ID, 1), text })).source).toBe('app');
  });
});

describe('a JSON line', () => {
  const at = '2025-01-01T00:00:00.000Z';
  it.each<[string, unknown, object]>([
    [
      'with all fields',
      { sequence: 7, at, name: 'app-1-build-1', text: 'x' },
      { sequence: 7, at, source: 'build' },
    ],
    ['without position and time', { name: 'app-1-1', text: 'x' }, { source: 'app' }],
    [
      'with an invalid position and time',
      { sequence: '7', at: 'noon', name: 'app-1-1', text: 'x' },
      {},
    ],
  ])('%s', (_, record, expected) => {
    const line = parseJsonLogLine(JSON.stringify(record));
    expect(line).toMatchObject({ text: 'x', ...expected });
    expect(Object.keys(line).includes('sequence')).toBe('sequence' in expected);
  });

  it.each(['[app-1-1]: plain', '{"half":', '[]', 'null', '{"text":1,"name":"a"}'])(
    'parses %j as a plain line',
    (line) => {
      expect(parseJsonLogLine(line)).toEqual(parseLogLine(line));
    },
  );
});
