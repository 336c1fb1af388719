import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { createCrowd } from './crowd.ts';

class Connection extends EventEmitter {
  readonly #name: string;
  readonly #closed: string[];

  constructor(name: string, closed: string[]) {
    super();
    this.#name = name;
    this.#closed = closed;
  }

  destroy(): void {
    this.#closed.push(this.#name);
  }
}

/** Names are addresses with a letter: `1a` is the first connection of the address 1. */
function start(size: number) {
  const crowd = createCrowd({ size });
  const closed: string[] = [];
  const connections = new Map<string, Connection>();
  return {
    closed,
    admit(name: string, address = `192.0.2.${name.slice(0, -1)}`) {
      const connection = new Connection(name, closed);
      connections.set(name, connection);
      return crowd.admit(connection, address);
    },
    close: (name: string) => connections.get(name)?.emit('close'),
  };
}

it('closes nothing while there is a place', () => {
  const { admit, closed } = start(4);
  expect(['1a', '1b', '1c', '1d'].map((name) => admit(name))).toEqual([true, true, true, true]);
  expect(closed).toEqual([]);
});

it('closes the oldest connection of the address with the most', () => {
  const { admit, closed } = start(4);
  for (const name of ['2a', '1a', '1b', '1c']) admit(name);
  expect(admit('3a')).toBe(true);
  expect(admit('3b')).toBe(true);
  expect(closed).toEqual(['1a', '1b']);
});

it('refuses a visitor that has as many connections as any other', () => {
  const { admit, closed } = start(4);
  for (const name of ['1a', '1b', '2a', '2b']) admit(name);
  expect(admit('1c')).toBe(false);
  expect(admit('3a')).toBe(true);
  expect(closed).toEqual(['1a']);
});

it('gives the place of a closed connection to the next one', () => {
  const { admit, close, closed } = start(2);
  admit('1a');
  admit('1b');
  close('1a');
  expect(admit('1c')).toBe(true);
  expect(admit('2a')).toBe(true);
  close('1b');
  expect(admit('2b')).toBe(false);
  expect(closed).toEqual(['1b']);
});

it('counts the addresses of one IPv6 network together', () => {
  const { admit, closed } = start(2);
  admit('1a', '2001:db8::1');
  admit('1b', '2001:db8::2:0:0:1');
  expect(admit('2a', '2001:db8:0:1::1')).toBe(true);
  expect(closed).toEqual(['1a']);
});
