import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  chartNameOf,
  decodeResources,
  isApp,
  isIntegration,
  isProject,
  kindOf,
} from './resource.ts';

const row = {
  id: '3f2a91c4-7b0e-4d53-9a61-0c2f8e5d1b77',
  user_id: '8d7c2f10-2b1a-4d0e-8a55-5c0f4f1f9e21',
  chart_name: 'project',
  chart_version: '0.0',
  values: { userId: '8d7c2f10-2b1a-4d0e-8a55-5c0f4f1f9e21', name: 'Harbour' },
  status: 'synced',
  message: 'Ready',
  created_at: '2025-01-02T03:04:05.678901+00:00',
  updated_at: '2025-01-03T03:04:05.678901+00:00',
  deleted: false,
};

describe('decodeResources', () => {
  it('decodes a row', () => {
    expect(decodeResources([row])).toEqual([
      {
        id: row.id,
        userId: row.user_id,
        kind: 'project',
        chartVersion: '0.0',
        values: row.values,
        status: 'synced',
        message: 'Ready',
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
  ])('recognises the kind of a row with chart name %s', (chartName, isKind) => {
    const [resource] = decodeResources([{ ...row, chart_name: chartName }]);
    const matching = [isProject, isApp, isIntegration].filter(
      (isOfKind) => resource !== undefined && isOfKind(resource),
    );
    expect(matching).toEqual([isKind]);
  });

  it.each([
    ['a missing status', { status: null, message: null }, { status: '', message: '' }],
    ['a status of another backend', { status: 'degraded' }, { status: 'degraded' }],
    ['an owner that is not text', { user_id: 7 }, { userId: '' }],
    ['a missing date', { created_at: undefined }, { createdAt: '' }],
    ['a string for deleted', { deleted: 'true' }, { deleted: false }],
    ['an owner that cannot be converted to a string', { user_id: { toString: 1 } }, { userId: '' }],
  ])('decodes %s', (_what, change, expected) => {
    expect(decodeResources([{ ...row, ...change }])).toMatchObject([expected]);
  });

  it.each([
    ['of another kind', { ...row, chart_name: 'postgres' }],
    ['whose kind is not text', { ...row, chart_name: ['project'] }],
    ['whose kind cannot be converted to text', { ...row, chart_name: { toString: 1 } }],
    ['without a kind', { ...row, chart_name: undefined }],
    ['without an id', { ...row, id: undefined }],
    ['without values', { ...row, values: null }],
    ['whose values are a list', { ...row, values: [] }],
    ['that is null', null],
    ['that is a string', 'project'],
    ['that is a list', [row]],
  ])('skips a row %s and keeps the others', (_what, malformed) => {
    expect(decodeResources([malformed, row])).toHaveLength(1);
  });

  it.each([undefined, null, {}, row, 'rows', 7])('finds no rows in %j', (rows) => {
    expect(decodeResources(rows)).toEqual([]);
  });

  it('decodes any JSON to complete resources without throwing', () => {
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
      fc.property(rows, (generated) => {
        for (const { values, deleted, ...texts } of decodeResources(generated)) {
          expect(Object.values(texts).every((text) => typeof text === 'string')).toBe(true);
          expect(values).toBeTypeOf('object');
          expect(deleted).toBeTypeOf('boolean');
        }
      }),
    );
  });
});

describe('resource kinds', () => {
  it.each([
    ['project', 'project'],
    ['app', 'longshore-app'],
    ['credential', 'credential'],
  ] as const)('map %s to the chart name %s and back', (kind, chartName) => {
    expect(chartNameOf(kind)).toBe(chartName);
    expect(kindOf(chartName)).toBe(kind);
  });

  it.each(['', 'app', 'Project', 'projects', 'toString', '__proto__', 'undefined'])(
    'return undefined for the chart name %j',
    (chartName) => {
      expect(kindOf(chartName)).toBeUndefined();
    },
  );
});
