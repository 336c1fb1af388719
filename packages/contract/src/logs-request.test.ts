import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  parseLogDownloadRequest,
  parseLogSearchRequest,
  parseLogsRequest,
} from './logs-request.ts';

const request = {
  projectId: '8d7c2f10-2b1a-4d0e-8a55-5c0f4f1f9e21',
  appId: '3f2a91c4-7b0e-4d53-9a61-0c2f8e5d1b77',
  follow: true,
  previous: false,
  tailLines: 100,
};

describe('parseLogsRequest', () => {
  it('accepts the specified request', () => {
    expect(parseLogsRequest(request)).toEqual({ ok: true, value: request });
  });

  it('defaults to the last 100 lines without following', () => {
    const { projectId, appId } = request;
    expect(parseLogsRequest({ projectId, appId })).toEqual({
      ok: true,
      value: { projectId, appId, follow: false, previous: false, tailLines: 100 },
    });
  });

  it('drops unknown fields', () => {
    expect(parseLogsRequest({ ...request, path: '/etc/passwd' })).toEqual({
      ok: true,
      value: request,
    });
  });

  it.each([0, 1, 100_000])('accepts %i lines', (tailLines) => {
    expect(parseLogsRequest({ ...request, tailLines })).toMatchObject({ value: { tailLines } });
  });

  it.each([
    { kind: 'app' },
    { kind: 'build' },
    { kind: 'access' },
    { release: 7 },
    { instance: 'app-3f2a91-4' },
    { after: 0 },
    { after: 12_345 },
    { before: 1 },
    { limit: 100_000 },
    { text: '[a-z' },
    { from: '2026-01-31T09:30:00Z', to: '2026-01-31T09:30:00.000Z' },
    { from: '2026-01-31T09:30+02:00' },
  ] as const)('accepts the optional field %j', (optional) => {
    expect(parseLogsRequest({ ...request, ...optional })).toMatchObject({ value: optional });
  });

  it.each([
    ['kind', 'all', 'kind must be app, build or access'],
    ['kind', null, 'kind must be app, build or access'],
    ['instance', '', 'instance must be the log name of an instance'],
    ['instance', '../secrets', 'instance must be the log name of an instance'],
    ['instance', 4, 'instance must be the log name of an instance'],
    ['release', 0, 'release must be a release number'],
    ['release', '7', 'release must be a release number'],
    ['after', -1, 'after must be a line number'],
    ['after', 2 ** 60, 'after must be a line number'],
    ['before', -1, 'before must be a line number'],
    ['limit', 0, 'limit must be a number between 1 and 100000'],
    ['limit', 100_001, 'limit must be a number between 1 and 100000'],
    ['text', '', 'text must be a string of 1 to 1000 characters'],
    ['text', 'x'.repeat(1_001), 'text must be a string of 1 to 1000 characters'],
    ['text', ['x'], 'text must be a string of 1 to 1000 characters'],
    ['from', 'today', 'from must be a time such as 2026-01-31T09:30:00Z'],
    ['from', '2026-01-31', 'from must be a time such as 2026-01-31T09:30:00Z'],
    ['from', '2026-13-31T09:30:00Z', 'from must be a time such as 2026-01-31T09:30:00Z'],
    ['to', 1_769_852_400_000, 'to must be a time such as 2026-01-31T09:30:00Z'],
    ['projectId', undefined, 'projectId must be a string'],
    ['projectId', 7, 'projectId must be a string'],
    ['appId', undefined, 'appId must be a string'],
    ['appId', null, 'appId must be a string'],
    ['follow', 'true', 'follow must be true or false'],
    ['follow', null, 'follow must be true or false'],
    ['previous', 1, 'previous must be true or false'],
    ['tailLines', -1, 'tailLines must be a number between 0 and 100000'],
    ['tailLines', 1.5, 'tailLines must be a number between 0 and 100000'],
    ['tailLines', '100', 'tailLines must be a number between 0 and 100000'],
    ['tailLines', 100_001, 'tailLines must be a number between 0 and 100000'],
    ['tailLines', Number.NaN, 'tailLines must be a number between 0 and 100000'],
    ['tailLines', Number.POSITIVE_INFINITY, 'tailLines must be a number between 0 and 100000'],
    ['tailLines', null, 'tailLines must be a number between 0 and 100000'],
  ])('rejects %s as %j', (field, value, message) => {
    expect(parseLogsRequest({ ...request, [field]: value })).toEqual({
      ok: false,
      field,
      message,
    });
  });

  it.each([undefined, null, 'text', 7, [], [request]])('rejects the body %j', (body) => {
    expect(parseLogsRequest(body)).toEqual({
      ok: false,
      field: 'body',
      message: 'The request must be a JSON object',
    });
  });

  it('returns a request, or a field with its message, for any input', () => {
    const almostRequest = fc.record(
      {
        projectId: fc.oneof(fc.uuid(), fc.anything()),
        appId: fc.oneof(fc.uuid(), fc.anything()),
        follow: fc.oneof(fc.boolean(), fc.anything()),
        previous: fc.oneof(fc.boolean(), fc.anything()),
        tailLines: fc.oneof(fc.integer(), fc.anything()),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(fc.anything(), almostRequest), (body) => {
        const parsed = parseLogsRequest(body);
        if (parsed.ok) expect(parseLogsRequest(parsed.value)).toEqual(parsed);
        else expect([parsed.field, parsed.message]).not.toContain('');
      }),
    );
  });
});

it('rejects a time range that ends before it starts', () => {
  const range = { from: '2026-01-31T10:00:00+01:00', to: '2026-01-31T08:59:59Z' };
  const rejected = { ok: false, field: 'to', message: 'to must not be before from' };
  expect(parseLogsRequest({ ...request, ...range })).toEqual(rejected);
  expect(parseLogDownloadRequest({ ...request, ...range })).toEqual(rejected);
});

describe('parseLogSearchRequest', () => {
  const { projectId, appId } = request;

  it('finds a thousand lines by default', () => {
    const value = { projectId, appId, text: 'x' };
    expect(parseLogSearchRequest(value)).toEqual({ ok: true, value: { ...value, limit: 1_000 } });
  });

  it.each([
    ['text', undefined, 'text must be a string of 1 to 1000 characters'],
    ['before', 1.5, 'before must be a line number'],
    ['limit', 1_001, 'limit must be a number between 1 and 1000'],
    ['kind', 'web', 'kind must be app, build or access'],
    ['appId', 7, 'appId must be a string'],
  ])('rejects %s as %j', (field, value, message) => {
    const body = { projectId, appId, text: 'x', [field]: value };
    expect(parseLogSearchRequest(body)).toEqual({ ok: false, field, message });
  });
});
