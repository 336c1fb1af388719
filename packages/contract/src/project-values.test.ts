import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseProjectValues, projectNameProblem } from './project-values.ts';

const NAME = 'Please enter a valid project name';
const USER = 'User ID missing, please sign in again';
const project = { userId: '8d7c2f10-2b1a-4d0e-8a55-5c0f4f1f9e21', name: 'Harbour' };

describe('projectNameProblem', () => {
  it.each(['a', 'Harbour', 'My shop', '  Harbour  ', 'Гавань 🚢', 'x'.repeat(100)])(
    'accepts %j',
    (name) => {
      expect(projectNameProblem(name)).toBeUndefined();
    },
  );

  it.each(['', ' ', '\t\n', '\u00a0', 'null\0character', 'half \ud83d'])('rejects %j', (name) => {
    expect(projectNameProblem(name)).toBe(NAME);
  });

  it('limits the length of a name', () => {
    expect(projectNameProblem('x'.repeat(101))).toBe('Must be at most 100 characters');
  });
});

describe('parseProjectValues', () => {
  it('accepts owner and name', () => {
    expect(parseProjectValues(project)).toEqual({ ok: true, value: project });
  });

  it('trims the name', () => {
    expect(parseProjectValues({ ...project, name: ' Harbour ' })).toEqual({
      ok: true,
      value: project,
    });
  });

  it('drops unknown fields', () => {
    expect(parseProjectValues({ ...project, isAdmin: true })).toEqual({ ok: true, value: project });
  });

  it.each([
    [{ ...project, userId: '' }, 'userId', USER],
    [{ ...project, userId: undefined }, 'userId', USER],
    [{ ...project, userId: 7 }, 'userId', USER],
    [{ ...project, name: ' ' }, 'name', NAME],
    [{ ...project, name: undefined }, 'name', NAME],
    [{ ...project, name: 7 }, 'name', NAME],
    [{ ...project, name: ['Harbour'] }, 'name', NAME],
    [undefined, 'values', 'Project values must be an object'],
    [null, 'values', 'Project values must be an object'],
    [[project], 'values', 'Project values must be an object'],
    ['Harbour', 'values', 'Project values must be an object'],
  ])('rejects %j at %s: %s', (values, field, message) => {
    expect(parseProjectValues(values)).toEqual({ ok: false, field, message });
  });

  it('returns values, or a field with its message, for any input', () => {
    const almostProject = fc.record(
      {
        userId: fc.oneof(fc.uuid(), fc.anything()),
        name: fc.oneof(fc.string({ unit: 'binary' }), fc.anything()),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(fc.anything(), almostProject), (values) => {
        const parsed = parseProjectValues(values);
        if (parsed.ok) expect(parseProjectValues(parsed.value)).toEqual(parsed);
        else expect([parsed.field, parsed.message]).not.toContain('');
      }),
    );
  });
});
