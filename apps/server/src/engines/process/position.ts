import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

const DIGITS = 20;

export type Position = {
  value(): number;
  move(to: number): Promise<void>;
  close(): Promise<void>;
};

/** A number kept in a file. It is always overwritten whole, in one write, so it is never half there. */
export async function openPosition(path: string): Promise<Position> {
  const file = await open(path, constants.O_RDWR | constants.O_CREAT, 0o600);
  let value = Number.parseInt(await file.readFile('utf8'), 10) || 0;
  return {
    value: () => value,
    async move(to) {
      value = to;
      await file.write(String(to).padStart(DIGITS, '0'), 0);
    },
    close: () => file.close(),
  };
}
