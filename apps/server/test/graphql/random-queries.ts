import fc from 'fast-check';

/** Short words of a small alphabet, so that conditions hold for some rows and not for others. */
const WORD = fc.string({ unit: fc.constantFrom('a', 'b', 'B', '1', ' '), maxLength: 4 });
const PATTERN = fc.string({ unit: fc.constantFrom('a', 'b', 'B', '%', '_'), maxLength: 4 });
const REGEX = fc.constantFrom(
  'a',
  '^a',
  'b$',
  '^$',
  'a.b',
  '[ab]+',
  'a|B',
  '(ab)*',
  '\\d',
  '^.{2}$',
);
const KEY = fc.constantFrom('a', 'bb', 'C');
const SCALAR = fc.oneof(fc.integer({ min: -2, max: 2 }), fc.boolean(), WORD);
const DOCUMENT = fc.dictionary(KEY, fc.oneof(SCALAR, fc.dictionary(KEY, SCALAR, { maxKeys: 2 })), {
  maxKeys: 3,
  noNullPrototype: true,
});
const TIME = fc
  .integer({ min: 0, max: 5 })
  .map((second) => `2026-01-01T00:00:0${second}.000001+00:00`);

/** A row of `resources` without its id. */
export const ROW = fc.record({
  chart_name: WORD,
  chart_version: WORD,
  values: DOCUMENT,
  pin: DOCUMENT,
  status: fc.option(WORD, { nil: null }),
  message: fc.option(WORD, { nil: null }),
  deleted: fc.boolean(),
  created_at: TIME,
});

/** An object with one of these entries. */
const oneOf = (entries: Record<string, fc.Arbitrary<unknown>>) =>
  fc.oneof(
    ...Object.entries(entries).map(([name, value]) => value.map((each) => ({ [name]: each }))),
  );

/** Usually one operator, sometimes two that must both hold. */
const comparison = (operators: Record<string, fc.Arbitrary<unknown>>) =>
  fc.oneof(
    { weight: 4, arbitrary: oneOf(operators) },
    {
      weight: 1,
      arbitrary: fc.tuple(oneOf(operators), oneOf(operators)).map(([a, b]) => ({ ...a, ...b })),
    },
  );

const ordered = (value: fc.Arbitrary<unknown>) => ({
  _eq: value,
  _neq: value,
  _gt: value,
  _gte: value,
  _lt: value,
  _lte: value,
  _in: fc.array(value, { maxLength: 3 }),
  _nin: fc.array(value, { maxLength: 3 }),
  _is_null: fc.boolean(),
});

const TEXT_OPERATORS = {
  ...ordered(WORD),
  _like: PATTERN,
  _nlike: PATTERN,
  _ilike: PATTERN,
  _nilike: PATTERN,
  _similar: PATTERN,
  _nsimilar: PATTERN,
  _regex: REGEX,
  _nregex: REGEX,
  _iregex: REGEX,
  _niregex: REGEX,
};
const TEXT = comparison(TEXT_OPERATORS);
const VALUES_OPERATORS = {
  _eq: DOCUMENT,
  _neq: DOCUMENT,
  _in: fc.array(DOCUMENT, { maxLength: 2 }),
  _nin: fc.array(DOCUMENT, { maxLength: 2 }),
  _is_null: fc.boolean(),
  _contains: DOCUMENT,
  _contained_in: DOCUMENT,
  _has_key: KEY,
  _has_keys_any: fc.array(KEY, { maxLength: 2 }),
  _has_keys_all: fc.array(KEY, { maxLength: 2 }),
};
const JSONB_OPERATORS = {
  ...VALUES_OPERATORS,
  _cast: fc.record({ String: TEXT }, { noNullPrototype: true }),
};
const JSONB = comparison(JSONB_OPERATORS);

const COLUMNS = {
  chart_name: TEXT,
  chart_version: TEXT,
  status: TEXT,
  message: TEXT,
  // A text of all values would contain encrypted ones.
  values: comparison(VALUES_OPERATORS),
  pin: JSONB,
  deleted: comparison(ordered(fc.boolean())),
  created_at: comparison(ordered(TIME)),
  generation: comparison(ordered(fc.integer({ min: 0, max: 2 }))),
};

const { where } = fc.letrec<{ where: Record<string, unknown> }>((tie) => ({
  where: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    oneOf(COLUMNS),
    oneOf({
      _and: fc.array(tie('where'), { maxLength: 3 }),
      _or: fc.array(tie('where'), { maxLength: 3 }),
      _not: tie('where'),
    }),
  ),
}));

const SORTED = ['chart_name', 'chart_version', 'status', 'message', 'deleted', 'created_at'];
const DIRECTION = fc.constantFrom(
  'asc',
  'desc',
  'asc_nulls_first',
  'asc_nulls_last',
  'desc_nulls_first',
  'desc_nulls_last',
);

/** A total order, and distinct columns at its start. */
const ORDER = fc
  .tuple(fc.shuffledSubarray(SORTED), fc.array(DIRECTION, { minLength: 7, maxLength: 7 }))
  .chain(([columns, directions]) => {
    const order_by = [...columns, 'id'].map((column, at) => ({ [column]: directions[at] }));
    return fc
      .integer({ min: 0, max: columns.length })
      .map((count) => ({ order_by, distinct_on: columns.slice(0, count) }));
  });

/** All operators, to check that the samples use each of them. */
export const OPERATORS = [
  ...new Set([...Object.keys(TEXT_OPERATORS), ...Object.keys(JSONB_OPERATORS)]),
];

export const SELECTION = fc
  .tuple(
    where,
    ORDER,
    fc.record(
      { limit: fc.integer({ min: 0, max: 10 }), offset: fc.integer({ min: 0, max: 5 }) },
      { requiredKeys: [], noNullPrototype: true },
    ),
  )
  .map(([condition, order, count]) => ({ where: condition, ...order, ...count }));
