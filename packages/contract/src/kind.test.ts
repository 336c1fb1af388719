import { describe, expect, it } from 'vitest';
import { chartNameOf, kindOf } from './kind.ts';

describe('the kinds of resources', () => {
  it.each([
    ['project', 'project'],
    ['app', 'longshore-app'],
    ['credential', 'credential'],
  ] as const)('tells %s on the wire as %s, and back', (kind, chartName) => {
    expect(chartNameOf(kind)).toBe(chartName);
    expect(kindOf(chartName)).toBe(kind);
  });

  it.each(['', 'app', 'Project', 'projects', 'toString', '__proto__', 'undefined'])(
    'knows no kind called %j',
    (chartName) => {
      expect(kindOf(chartName)).toBeUndefined();
    },
  );
});
