import { expect, it } from 'vitest';
import { anApp } from '../../../../test/resources.ts';
import { newDomainProblem, refusalText, withDomain, withoutDomain } from './edit-domains.ts';

const access = { enabled: true, domain: 'auto', baseDomain: 'localhost' };
const valuesWith = (domains?: string[], domain = 'auto') =>
  anApp({ publicAccess: { ...access, domain, ...(domains && { domains }) } }).values;

it.each([
  ['', 'Custom domain is required'],
  ['shop', 'Custom domain must look like app.example.com'],
  ['*.example.com', 'Wildcard domains are not supported. Enter each domain'],
  ['A.example.com', 'The app already has this domain'],
  ['b.example.com.', 'The app already has this domain'],
  ['c.example.com', undefined],
])('checks the entered domain %j', (text, problem) => {
  const values = valuesWith(['a.example.com'], 'b.example.com');
  expect(newDomainProblem(text, values)).toBe(problem);
});

it('adds a domain besides the others, normalized', () => {
  const after = withDomain(valuesWith(['a.example.com']), ' Bücher.Example. ');
  expect(after.publicAccess.domains).toEqual(['a.example.com', 'xn--bcher-kva.example']);
});

it.each([
  ['one of the further domains', 'b.example.com', { ...access, domains: ['a.example.com'] }],
  ['an unknown one', 'x.example.com', { ...access, domains: ['a.example.com', 'b.example.com'] }],
])('removes %s', (_, domain, publicAccess) => {
  const values = valuesWith(['a.example.com', 'b.example.com']);
  expect(withoutDomain(values, domain)).toEqual({ ...values, publicAccess });
});

it('removes the last further domain without a trace', () => {
  expect(withoutDomain(valuesWith(['a.example.com']), 'a.example.com')).toEqual(valuesWith());
});

it('removes the domain of the form', () => {
  const after = withoutDomain(valuesWith(undefined, 'a.example.com'), 'a.example.com');
  expect(after.publicAccess).toEqual(access);
});

it('shows a refusal without the name of the field', () => {
  expect(refusalText('values.publicAccess.domains: Your app blog already uses it')).toBe(
    'Your app blog already uses it',
  );
  expect(refusalText('Network error')).toBe('Network error');
});
