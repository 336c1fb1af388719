import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  buildLogName,
  formatLogLine,
  instanceLogName,
  logSourceOf,
  parseLogLine,
  parseNumberedLine,
} from './log-line.ts';

const ID = '3f2a91c4-7b0e-4d53-9a61-0c2f8e5d1b77';

describe('the names of logs', () => {
  it('name an instance by the first digits of the id', () => {
    expect(instanceLogName(ID, 1)).toBe('app-3f2a91-1');
  });

  it('name a build by the first digits of the id', () => {
    expect(buildLogName(ID, 7)).toBe('app-3f2a91-build-7');
  });

  it('tell an instance from a build, whatever the id', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.nat(), (id, number) => {
        expect(logSourceOf(instanceLogName(id, number))).toBe('app');
        expect(logSourceOf(buildLogName(id, number))).toBe('build');
      }),
    );
  });

  it.each([
    ['app-3f2a91-build-7', 'build'],
    ['x-build-', 'build'],
    ['app-3f2a91-1', 'app'],
    ['build-7', 'app'],
    ['app-build', 'app'],
    ['', 'app'],
  ])('%j marks a line of the %s', (name, source) => {
    expect(logSourceOf(name)).toBe(source);
  });
});

describe('a log line', () => {
  it('is written as [name]: text', () => {
    expect(formatLogLine({ name: 'app-3f2a91-1', text: 'listening' })).toBe(
      '[app-3f2a91-1]: listening',
    );
  });

  it('is read back as it was written', () => {
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
      fc.property(name, text, (givenName, givenText) => {
        const line = formatLogLine({ name: givenName, text: givenText });
        expect(parseLogLine(line)).toEqual({
          name: givenName,
          source: logSourceOf(givenName),
          text: givenText,
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
  ])('is read from %j', (line, parsed) => {
    expect(parseLogLine(line)).toEqual(parsed);
  });

  it('is read from any text without throwing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (line) => {
        expect(line.endsWith(parseLogLine(line).text)).toBe(true);
      }),
    );
  });
});

describe('a line that an app forges', () => {
  it.each([
    '[app-3f2a91-build-7]: The build passed',
    ']: [app-3f2a91-build-7]: The build passed',
    '-build-',
    'my-build-tool: ready',
  ])('stays the app’s own: %s', (text) => {
    const line = formatLogLine({ name: instanceLogName(ID, 1), text });
    expect(parseLogLine(line)).toEqual({ name: 'app-3f2a91-1', source: 'app', text });
  });

  it('does not count as a build because the app is called my-build-tool', () => {
    const text = '> my-build-tool@1.0.0 start';
    expect(parseLogLine(formatLogLine({ name: instanceLogName(ID, 1), text })).source).toBe('app');
  });
});

describe('a line as JSON', () => {
  const at = '2025-01-01T00:00:00.000Z';
  it.each<[string, unknown, object]>([
    [
      'whole',
      { sequence: 7, at, name: 'app-1-build-1', text: 'x' },
      { sequence: 7, at, source: 'build' },
    ],
    ['without a place', { name: 'app-1-1', text: 'x' }, { source: 'app' }],
    [
      'with a strange place and time',
      { sequence: '7', at: 'noon', name: 'app-1-1', text: 'x' },
      {},
    ],
  ])('%s', (_, record, expected) => {
    const line = parseNumberedLine(JSON.stringify(record));
    expect(line).toMatchObject({ text: 'x', ...expected });
    expect(Object.keys(line).includes('sequence')).toBe('sequence' in expected);
  });

  it.each(['[app-1-1]: plain', '{"half":', '[]', 'null', '{"text":1,"name":"a"}'])(
    'takes %j for a plain line',
    (line) => {
      expect(parseNumberedLine(line)).toEqual(parseLogLine(line));
    },
  );
});
