import { describe, expect, it } from 'vitest';
import { imageVariables } from './image-variables.ts';

const MOUNTED = 'FROM a\nARG URL\nRUN --mount=type=secret,id=TOKEN,env=TOKEN npm ci\n';

describe('the variables of a build', () => {
  it('are arguments if the Dockerfile declares them, else secrets', () => {
    const variables = { URL: 'https://example.com', TOKEN: 'a', OTHER: 'b' };
    expect(imageVariables(variables, { dockerfile: MOUNTED, key: 'k' })).toMatchObject({
      arguments: { URL: 'https://example.com' },
      secrets: { OTHER: 'b', TOKEN: 'a' },
    });
  });

  it.each<[what: string, variables: Record<string, string>, isSame: boolean]>([
    ['the same values in another order', { OTHER: 'b', TOKEN: 'a' }, true],
    ['another value of a variable that no step gets', { TOKEN: 'a', OTHER: 'c' }, true],
    ['another value of an argument', { TOKEN: 'a', OTHER: 'b', URL: 'x' }, true],
    ['another value of a variable that a step gets', { TOKEN: 'c', OTHER: 'b' }, false],
  ])('use the same cache or not, with %s', (_, variables, isSame) => {
    const before = scopeOf({ TOKEN: 'a', OTHER: 'b' });
    expect(before).toMatch(/^build-[0-9a-f]{32}$/);
    expect(scopeOf(variables) === before).toBe(isSame);
  });

  it('need no cache of their own if no step gets one', () => {
    expect(scopeOf({ OTHER: 'b' })).toBeUndefined();
  });

  it('have another scope for another key', () => {
    expect(scopeOf({ TOKEN: 'a' }, 'other')).not.toBe(scopeOf({ TOKEN: 'a' }));
  });
});

function scopeOf(variables: Record<string, string>, key = 'k'): string | undefined {
  return imageVariables(variables, { dockerfile: MOUNTED, key }).cacheScope;
}
