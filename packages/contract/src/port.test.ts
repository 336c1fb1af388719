import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { portProblem } from './port.ts';

const REQUIRED = 'Port number is required';
const RANGE = 'Port must be a number between 1 and 65535';

describe('portProblem', () => {
  it.each([1, 80, 65_535, '1', '80', '65535', ' 8080 ', '0080'])('accepts %j', (port) => {
    expect(portProblem(port)).toBeUndefined();
  });

  it.each(['', '  ', '\t', undefined, null])('requires a port when it is %j', (port) => {
    expect(portProblem(port)).toBe(REQUIRED);
  });

  it.each([
    0,
    -1,
    65_536,
    80.5,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    '0',
    '65536',
    '-80',
    '+80',
    '80.0',
    '1e3',
    '0x50',
    '80a',
    '8 0',
    '８０',
    '٨٠',
    '9'.repeat(400),
    true,
    [80],
    {},
    80n,
  ])('rejects %s', (port) => {
    expect(portProblem(port)).toBe(RANGE);
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.anything(), (port) => {
        expect([undefined, REQUIRED, RANGE]).toContain(portProblem(port));
      }),
    );
  });

  it('accepts exactly the whole numbers from 1 to 65535', () => {
    fc.assert(
      fc.property(fc.integer({ min: -100_000, max: 100_000 }), (port) => {
        const isPort = port >= 1 && port <= 65_535;
        expect(portProblem(port) === undefined).toBe(isPort);
        expect(portProblem(String(port)) === undefined).toBe(isPort);
      }),
    );
  });
});
