import type { StoredVariable, Variables } from '../apps/variables.ts';
import type { Database } from '../db/database.ts';
import { resultTooLarge } from './run-statement.ts';

type UnsealOptions = {
  /** Of the statement that read the texts. Undefined if it reads no encrypted value. */
  mark: string | undefined;
  db: Database;
  variables: Pick<Variables, 'read'>;
  maxBytes: number;
};

/** Hashes of one row, and their place in the text. `isAlone`: the result is the value, without its name. */
type MarkedHashes = {
  start: number;
  end: number;
  variables: StoredVariable[];
  isAlone: boolean;
};

const MAX_READ_AT_ONCE = 500;

/**
 * Puts the values of variables into JSON texts of Postgres. Only objects with the mark are replaced: it is random and new
 * each time, so that no text of a user can contain it. A value that cannot be read becomes null.
 */
export async function unsealTexts(
  texts: string[],
  { mark, db, variables, maxBytes }: UnsealOptions,
): Promise<string[]> {
  if (mark === undefined || !texts.some((text) => text.includes(mark))) return texts;
  const markedIn = texts.map((text) => findMarked(text, mark));
  const values = await readAll(markedIn.flat().flatMap((marked) => marked.variables));
  let [nextValue, bytes] = [0, 0];
  return texts.map((text, at) => {
    let [unsealed, copied] = ['', 0];
    for (const marked of markedIn[at] ?? []) {
      unsealed += text.slice(copied, marked.start) + unsealedJson(marked);
      copied = marked.end;
    }
    return unsealed + text.slice(copied);
  });

  /** Called in the order in which they were found. */
  function unsealedJson(marked: MarkedHashes): string {
    const entries = marked.variables.map(({ name }) => {
      const value = JSON.stringify(values[nextValue++] ?? null);
      return marked.isAlone ? value : `${JSON.stringify(name)}:${value}`;
    });
    const json = marked.isAlone ? entries.join() : `{${entries.join()}}`;
    bytes += Buffer.byteLength(json);
    if (bytes > maxBytes) throw resultTooLarge();
    return json;
  }

  /** Values may be much longer than their hashes, so their total is limited too. */
  async function readAll(stored: StoredVariable[]): Promise<(string | undefined)[]> {
    const read: (string | undefined)[] = [];
    let length = 0;
    for (let at = 0; at < stored.length; at += MAX_READ_AT_ONCE) {
      for (const value of await variables.read(db, stored.slice(at, at + MAX_READ_AT_ONCE))) {
        read.push(value);
        length += value?.length ?? 0;
      }
      if (length > maxBytes) throw resultTooLarge();
    }
    return read;
  }
}

const ID_LENGTH = 36;

/** Postgres writes `{"<mark><id>all": {"<name>": "<hash>", …}}`. A regular expression takes several times as long. */
function findMarked(text: string, mark: string): MarkedHashes[] {
  const [found, opening]: [MarkedHashes[], string] = [[], `{"${mark}`];
  for (let start = text.indexOf(opening); start !== -1; ) {
    const idAt = start + opening.length;
    const appId = text.slice(idAt, idAt + ID_LENGTH);
    const objectAt = text.indexOf('{', idAt);
    const { object, end } = parseObject(text, objectAt);
    const variables = Object.entries(object).map(([name, hash]) => ({
      appId,
      name,
      hash: String(hash),
    }));
    const isAlone = text.startsWith('one', idAt + ID_LENGTH);
    found.push({ start, end: end + 1, variables, isAlone });
    start = text.indexOf(opening, end);
  }
  return found;
}

/** The object that starts here. It contains only texts, but the names of old rows may contain braces. */
function parseObject(text: string, start: number): { object: object; end: number } {
  for (let end = text.indexOf('}', start); end !== -1; end = text.indexOf('}', end + 1)) {
    try {
      return { object: JSON.parse(text.slice(start, end + 1)) as object, end: end + 1 };
    } catch {
      // The brace is part of a name.
    }
  }
  throw new Error('The result of the database is not JSON');
}
