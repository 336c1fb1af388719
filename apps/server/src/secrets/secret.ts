import { createHash, timingSafeEqual } from 'node:crypto';
import { inspect } from 'node:util';

const HIDDEN = '[secret]';

/** A value that must not be shown: every way of printing it yields `[secret]`. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The value itself, for the one place that uses it. */
  reveal(): string {
    return this.#value;
  }

  /** By hashes, so that the time it takes tells nothing, not even the length. */
  equals(given: string): boolean {
    const hash = (text: string) => createHash('sha256').update(text).digest();
    return timingSafeEqual(hash(given), hash(this.#value));
  }

  toString(): string {
    return HIDDEN;
  }

  toJSON(): string {
    return HIDDEN;
  }

  [inspect.custom](): string {
    return HIDDEN;
  }
}
