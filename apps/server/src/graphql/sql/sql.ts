/** A part of a statement: text, and between the texts other parts or parameters. */
export class Sql {
  readonly texts: readonly string[];
  readonly values: readonly unknown[];

  constructor(texts: readonly string[], values: readonly unknown[]) {
    this.texts = texts;
    this.values = values;
  }
}

/**
 * Builds a part of a statement. Every value that is not a part itself becomes a parameter, so that user text never
 * becomes SQL. A statement is built for each request; Kysely's builder took a tenth of the request's time.
 */
export function sql(texts: TemplateStringsArray, ...values: unknown[]): Sql {
  return new Sql(texts, values);
}

/** Never for user text. */
sql.raw = (text: string): Sql => new Sql([text], []);

sql.id = (name: string): Sql => sql.raw(quoted(name));

/** A name with its parts, such as `table.column`. */
sql.ref = (path: string): Sql => sql.raw(path.split('.').map(quoted).join('.'));

sql.join = (parts: readonly Sql[], separator = ', '): Sql => {
  const between = parts.slice(1).map(() => separator);
  return new Sql(parts.length === 0 ? [''] : ['', ...between, ''], parts);
};

export type CompiledSql = { text: string; parameters: unknown[] };

export function compileSql(statement: Sql): CompiledSql {
  const parameters: unknown[] = [];
  return { text: textOf(statement), parameters };

  function textOf({ texts, values }: Sql): string {
    let text = texts[0] ?? '';
    for (let at = 0; at < values.length; at += 1) {
      const value = values[at];
      text += value instanceof Sql ? textOf(value) : `$${parameters.push(value)}`;
      text += texts[at + 1];
    }
    return text;
  }
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
