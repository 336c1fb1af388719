import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeResources, isApp, isIntegration, isProject } from './resource.ts';

const row = {
  id: '3f2a91c4-7b0e-4d53-9a61-0c2f8e5d1b77',
  user_id: '8d7c2f10-2b1a-4d0e-8a55-5c0f4f1f9e21',
  chart_name: 'project',
  chart_version: '0.0',
  values: { userId: '8d7c2f10-2b1a-4d0e-8a55-5c0f4f1f9e21', name: 'Harbour' },
  status: 'synced',
  message: 'All is well',
  created_at: '2025-01-02T03:04:05.678901+00:00',
  updated_at: '2025-01-03T03:04:05.678901+00:00',
  deleted: false,
};

describe('decodeResources', () => {
  it('turns a row of the wire into a resource', () => {
    expect(decodeResources([row])).toEqual([
      {
        id: row.id,
        userId: row.user_id,
        kind: 'project',
        chartVersion: '0.0',
        values: row.values,
        status: 'synced',
        message: 'All is well',
        createdAt: row.created_at,
        updatedAt: row.updated_at,
        deleted: false,
      },
    ]);
  });

  it('keeps the order of the rows', () => {
    const ids = ['c', 'a', 'b'];
    expect(decodeResources(ids.map((id) => ({ ...row, id }))).map(({ id }) => id)).toEqual(ids);
  });

  it.each([
    ['project', isProject],
    ['longshore-app', isApp],
    ['credential', isIntegration],
  ])('tells the kind of a row called %s', (chartName, isKind) => {
    const [resource] = decodeResources([{ ...row, chart_name: chartName }]);
    const matching = [isProject, isApp, isIntegration].filter(
      (isOfKind) => resource !== undefined && isOfKind(resource),
    );
    expect(matching).toEqual([isKind]);
  });

  it.each([
    [
      'a status that is not there yet',
      { status: null, message: null },
      { status: '', message: '' },
    ],
    ['a status of another backend', { status: 'degraded' }, { status: 'degraded' }],
    ['an owner that is not text', { user_id: 7 }, { userId: '' }],
    ['a missing date', { created_at: undefined }, { createdAt: '' }],
    ['a word for deleted', { deleted: 'true' }, { deleted: false }],
    ['a text that cannot be made one', { user_id: { toString: 1 } }, { userId: '' }],
  ])('reads %s', (_what, change, expected) => {
    expect(decodeResources([{ ...row, ...change }])).toMatchObject([expected]);
  });

  it.each([
    ['of another kind', { ...row, chart_name: 'postgres' }],
    ['whose kind is not text', { ...row, chart_name: ['project'] }],
    ['whose kind cannot be made text', { ...row, chart_name: { toString: 1 } }],
    ['without a kind', { ...row, chart_name: undefined }],
    ['without an id', { ...row, id: undefined }],
    ['without values', { ...row, values: null }],
    ['whose values are a list', { ...row, values: [] }],
    ['that is nothing', null],
    ['that is a word', 'project'],
    ['that is a list', [row]],
  ])('leaves out a row %s, and keeps the others', (_what, odd) => {
    expect(decodeResources([odd, row])).toHaveLength(1);
  });

  it.each([undefined, null, {}, row, 'rows', 7])('finds no rows in %j', (rows) => {
    expect(decodeResources(rows)).toEqual([]);
  });

  it('reads any JSON without throwing, and answers whole resources', () => {
    const key = fc.oneof(
      fc.constantFrom(...Object.keys(row), 'toString', 'valueOf', '__proto__', 'constructor'),
      fc.string(),
    );
    const field = fc.oneof(fc.object({ key, maxDepth: 1 }), fc.jsonValue());
    const almostRow = fc
      .dictionary(fc.constantFrom(...Object.keys(row)), field, { noNullPrototype: true })
      .map((change) => ({ ...row, ...change }));
    const rows = fc.oneof(fc.jsonValue(), fc.array(fc.oneof(fc.jsonValue(), almostRow)));
    fc.assert(
      fc.property(rows, (given) => {
        for (const { values, deleted, ...texts } of decodeResources(given)) {
          expect(Object.values(texts).every((text) => typeof text === 'string')).toBe(true);
          expect(values).toBeTypeOf('object');
          expect(deleted).toBeTypeOf('boolean');
        }
      }),
    );
  });
});
