import { expect, it } from 'vitest';
import { decodeKeptLogs, decodeLogSearchPage } from './logs-responses.ts';

const page = { hits: [{ sequence: 7, at: '2026-01-31T09:30:00.000Z' }], until: 9, oldest: 1 };
const kept = {
  since: '2026-01-31T09:30:00.000Z',
  kinds: ['app', 'build'],
  bytes: 10,
  limits: { appBytes: 3, buildBytes: 2, builds: 1 },
};

it('decodes a page of hits', () => {
  expect(decodeLogSearchPage(page)).toEqual(page);
  expect(decodeLogSearchPage({ ...page, next: 7 })).toEqual({ ...page, next: 7 });
});

it.each([
  [undefined],
  [[]],
  [{ ...page, hits: [{ sequence: '7', at: page.hits[0]?.at }] }],
  [{ ...page, hits: [{ sequence: 7, at: 'noon' }] }],
  [{ ...page, until: -1 }],
  [{ ...page, oldest: undefined }],
  [{ ...page, next: 'more' }],
])('does not decode %j as a page of hits', (body) => {
  expect(decodeLogSearchPage(body)).toBeUndefined();
});

it('decodes what is kept', () => {
  expect(decodeKeptLogs(kept)).toEqual(kept);
  expect(decodeKeptLogs({ ...kept, since: undefined, kinds: [] })?.kinds).toEqual([]);
});

it.each([
  [undefined],
  [{ ...kept, since: 7 }],
  [{ ...kept, kinds: ['web'] }],
  [{ ...kept, bytes: null }],
  [{ ...kept, limits: { appBytes: 1 } }],
])('does not decode %j as what is kept', (body) => {
  expect(decodeKeptLogs(body)).toBeUndefined();
});

it('decodes what is kept of the access log, if the server has one', () => {
  const access = { since: '2026-01-31T09:30:00.000Z', bytes: 1, maxBytes: 2 };
  expect(decodeKeptLogs({ ...kept, access })?.access).toEqual(access);
  for (const other of [{ ...access, since: 'noon' }, { bytes: 1 }, 'none', null]) {
    expect(decodeKeptLogs({ ...kept, access: other })).toEqual(kept);
  }
});
