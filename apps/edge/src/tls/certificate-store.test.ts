import type { SecureContext } from 'node:tls';
import { describe, expect, it } from 'vitest';
import { createCertificate } from '../../test/certificates.ts';
import { createCertificateStore } from './certificate-store.ts';

function storeOf(...lists: string[][]) {
  const invalid: string[] = [];
  const store = createCertificateStore({
    contextOptions: {},
    onInvalidCertificate: ({ id }) => invalid.push(id),
  });
  const certificates = lists.map((names) => createCertificate(names));
  store.apply({ certificates });
  return { store, certificates, invalid };
}

describe('certificate store', () => {
  it.each([
    ['a.example.com', true],
    ['b.example.com', true],
    ['example.com', false],
    ['a.b.example.com', false],
    ['*.example.com', true],
    ['.example.com', false],
    ['shop.test', true],
    ['www.shop.test', false],
    ['test', false],
    ['', false],
    ['__proto__', false],
  ])('%j is covered by *.example.com or Shop.test: %s', (name, isCovered) => {
    const { store } = storeOf(['*.example.com'], ['Shop.test']);
    expect(store.has(name)).toBe(isCovered);
    expect(store.context(name) !== undefined).toBe(isCovered);
  });

  it('prefers the exact name to the wildcard', () => {
    const { store } = storeOf(['a.example.com'], ['*.example.com']);
    expect(store.context('a.example.com')).not.toBe(store.context('b.example.com'));
  });

  it('builds a context once, and again after the certificate was replaced', () => {
    const { store } = storeOf(['a.test'], ['b.test']);
    const [first, other] = [store.context('a.test'), store.context('b.test')];
    expect(store.context('a.test')).toBe(first);
    store.apply({ certificates: [createCertificate(['a.test'])] });
    expect(store.context('a.test')).not.toBe(first);
    expect(store.context('b.test')).toBe(other);
  });

  it('falls back to an older certificate of the same name', () => {
    const { store, certificates } = storeOf(['a.test', 'b.test']);
    const older = store.context('a.test');
    store.apply({ certificates: [createCertificate(['a.test', 'c.test'])].map(withId('newer')) });
    expect(store.context('a.test')).not.toBe(older);
    store.apply({ removedCertificates: ['newer'] });
    expect(store.context('a.test')).toBe(older);
    store.apply({ removedCertificates: certificates.map(({ id }) => id) });
    expect(store.has('a.test')).toBe(false);
  });

  it('forgets names that the replacement does not have', () => {
    const { store } = storeOf(['a.test', 'b.test']);
    store.apply({ certificates: [createCertificate(['a.test'])] });
    expect(store.has('b.test')).toBe(false);
  });

  it('reports an invalid certificate once', () => {
    const { store, invalid } = storeOf();
    const broken = { ...createCertificate(['a.test']), key: 'no key' };
    store.apply({ certificates: [broken] });
    expect([store.context('a.test'), store.context('a.test')]).toEqual([undefined, undefined]);
    expect(invalid).toEqual(['a.test']);
  });

  it('keeps a limited number of contexts, the most recently used ones', () => {
    const { store } = storeOf();
    const one = createCertificate(['0.test']);
    const certificates = Array.from({ length: 501 }, (_, index) => ({
      ...one,
      id: `${index}`,
      names: [`${index}.test`],
    }));
    store.apply({ certificates });
    const built = new Map<string, SecureContext | undefined>();
    for (const name of ['0.test', '1.test']) built.set(name, store.context(name));
    for (let index = 2; index < 500; index += 1) store.context(`${index}.test`);
    store.context('0.test');
    store.context('500.test');
    expect(store.context('0.test')).toBe(built.get('0.test'));
    expect(store.context('1.test')).not.toBe(built.get('1.test'));
  });
});

function withId(id: string) {
  return <T extends object>(certificate: T) => ({ ...certificate, id });
}
