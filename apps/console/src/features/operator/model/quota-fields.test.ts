import { describe, expect, it } from 'vitest';
import { fieldsOf, parseQuotas } from './quota-fields.ts';

const EMPTY = { apps: '', memoryBytes: '', cpus: '', builds: '', diskBytes: '' };
const DEFAULTS = { apps: null, memoryBytes: null, cpus: null, builds: null, diskBytes: null };

describe('the fields of quotas', () => {
  it.each([
    [EMPTY, DEFAULTS],
    [
      { apps: '3', memoryBytes: '512', cpus: '1,5', builds: '0', diskBytes: '2.5' },
      {
        apps: 3,
        memoryBytes: 512 * 1024 ** 2,
        cpus: 1.5,
        builds: 0,
        diskBytes: 2.5 * 1024 ** 3,
      },
    ],
  ])('%j are parsed', (fields, quotas) => {
    expect(parseQuotas(fields)).toEqual({ ok: true, quotas });
  });

  it.each(['-1', '1.5', 'many', '1e9', '99999999'])('apps cannot be %j', (apps) => {
    expect(parseQuotas({ ...EMPTY, apps })).toEqual({ ok: false, invalid: ['apps'] });
  });

  it('show the stored quotas', () => {
    const quotas = { ...DEFAULTS, memoryBytes: 512 * 1024 ** 2, diskBytes: 0, cpus: 0.5 };
    expect(fieldsOf(quotas)).toEqual({ ...EMPTY, memoryBytes: '512', diskBytes: '0', cpus: '0.5' });
  });
});
