import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { envProblem } from './env.ts';
import { escapeReferences, referencesIn, unescapeReferences, valueParts } from './references.ts';

const text = (value: string) => ({ kind: 'text', text: value });
const reference = (app: string, variable: string) => ({
  kind: 'reference',
  reference: { app, variable },
});

describe('the parts of a value', () => {
  it.each([
    ['', []],
    ['plain $VALUE ${A} {{b}}', [text('plain $VALUE ${A} {{b}}')]],
    ['${{api.URL}}', [reference('api', 'URL')]],
    ['${{ api.URL }}', [reference('api', 'URL')]],
    [
      'http://${{api.HOST}}:${{api.PORT}}/',
      [text('http://'), reference('api', 'HOST'), text(':'), reference('api', 'PORT'), text('/')],
    ],
    ['${{a.B}}${{a.B}}', [reference('a', 'B'), reference('a', 'B')]],
    ['$${{api.URL}}', [text('${{'), text('api.URL}}')]],
    ['$$${{', [text('$'), text('${{')]],
    ['${{api.URL', [{ kind: 'malformed', text: '${{api.URL' }]],
    ['${{api}}', [{ kind: 'malformed', text: '${{api}}' }]],
    ['${{Api.URL}}', [{ kind: 'malformed', text: '${{Api.URL}}' }]],
    ['${{api.A.B}}', [{ kind: 'malformed', text: '${{api.A.B}}' }]],
    ['${{.URL}}', [{ kind: 'malformed', text: '${{.URL}}' }]],
    ['${{}}', [{ kind: 'malformed', text: '${{}}' }]],
  ])('of %j are %j', (value, parts) => {
    expect(valueParts(value)).toEqual(parts);
  });

  it('list each reference once', () => {
    expect(referencesIn('${{a.B}} ${{c.D}} ${{ a.B }} $${{e.F}}')).toEqual([
      { app: 'a', variable: 'B' },
      { app: 'c', variable: 'D' },
    ]);
  });
});

describe('a variable', () => {
  it.each(['${{api.URL}}', '$${{ anything', 'a${{b.C}}d'])('can have the value %j', (value) => {
    expect(envProblem('A', value)).toBeUndefined();
  });

  it('cannot have a value that begins like a reference and is none', () => {
    expect(envProblem('A', 'x ${{ github.ref_name || 1 }} y')).toBe(
      '${{ github.ref_name || 1 }} is not a reference such as ${{api.URL}}. Write $${{ for the text ${{',
    );
    expect(envProblem('A', `\${{${'a'.repeat(100)}`)).toContain(`\${{${'a'.repeat(37)}… is not`);
  });
});

it('any text is the value of its escaped form', () => {
  const pieces = fc.constantFrom('$', '{', '}', '${{', '$${{', '}}', 'a.B', 'x');
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), (array) => {
      const value = array.join('');
      const parts = valueParts(escapeReferences(value));
      expect(parts.map((part) => (part.kind === 'text' ? part.text : '!')).join('')).toBe(value);
      expect(unescapeReferences(escapeReferences(value))).toBe(value);
    }),
  );
});
