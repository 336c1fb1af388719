import { createHash, timingSafeEqual } from 'node:crypto';
import { inspect } from 'node:util';

const HIDDEN = '[secret]';

/** A value that must not be logged: printing it in any way yields `[secret]`. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The value itself. Call it only where the value is used. */
  reveal(): string {
    return this.#value;
  }

  /** Compares hashes in constant time, so that timing reveals neither the value nor its length. */
  equals(other: string): boolean {
    const hash = (text: string) => createHash('sha256').update(text).digest();
    return timingSafeEqual(hash(other), hash(this.#value));
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
