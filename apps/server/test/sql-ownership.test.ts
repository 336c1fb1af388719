import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const SOURCES = join(import.meta.dirname, '../src');

type Rule = {
  /** What a statement on these rows contains. */
  statement: RegExp;
  /** Folders and files that may contain it. */
  allowed: string[];
};

/** The table descriptors of GraphQL name tables as data. */
const DESCRIPTORS = 'graphql/tables/';

const RULES: Record<string, Rule> = {
  'the table of apps, projects and integrations': {
    statement: /\bpublic\.resources\b|\b(?:from|join|update|into)\s+"?resources\b/i,
    allowed: ['apps/', 'connect/accounts/integrations.ts', 'db/', DESCRIPTORS],
  },
  releases: { statement: /\bdeploy\.releases\b/, allowed: ['apps/', 'db/schema.ts', DESCRIPTORS] },
  commands: { statement: /\bdeploy\.commands\b/, allowed: ['apps/', 'db/schema.ts', DESCRIPTORS] },
  events: { statement: /\bdeploy\.events\b/, allowed: ['apps/', 'db/schema.ts', DESCRIPTORS] },
  'app rows through the shared query': {
    statement: /existingResources\([^)]*'app'\)/,
    allowed: ['apps/'],
  },
  'project rows through the shared query': {
    statement: /existingResources\([^)]*'project'\)/,
    allowed: ['apps/'],
  },
  'integration rows through the shared query': {
    statement: /existingResources\([^)]*'credential'\)/,
    allowed: ['connect/', 'db/resources.ts'],
  },
  'apps by their chart name': {
    statement: /chartNameOf\('app'\)/,
    allowed: ['apps/', 'reconciler/reconciler.ts'],
  },
  'integrations by their chart name': {
    statement: /chartNameOf\('credential'\)/,
    allowed: ['connect/', 'db/resources.ts'],
  },
};

/** Paths below the source folder with their text, without tests and comments. */
async function sources(): Promise<Map<string, string>> {
  const paths = await readdir(SOURCES, { recursive: true });
  const files = paths.filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'));
  const texts = files.map(async (path) => {
    const text = await readFile(join(SOURCES, path), 'utf8');
    return [path, withoutComments(text)] as const;
  });
  return new Map(await Promise.all(texts));
}

function withoutComments(text: string): string {
  return text.replace(/^\s*(?:\/\*[\s\S]*?\*\/|\/\/.*)$/gm, '');
}

function violations(files: Map<string, string>, { statement, allowed }: Rule): string[] {
  const isAllowed = (path: string) => allowed.some((prefix) => path.startsWith(prefix));
  return [...files]
    .filter(([path, text]) => statement.test(text) && !isAllowed(path))
    .map(([path]) => path);
}

const files = await sources();

describe('SQL in the server', () => {
  it.each(Object.entries(RULES))('accesses %s only in the allowed folders', (_, rule) => {
    expect(files.size).toBeGreaterThan(300);
    expect(violations(files, rule)).toEqual([]);
  });
});

describe('the scan', () => {
  it.each(Object.entries(RULES))('finds a statement on %s in another folder', (_, rule) => {
    const examples = [...files.values()].flatMap((text) => text.match(rule.statement) ?? []);
    expect(examples).not.toEqual([]);
    const misplaced = new Map([['logs/service.ts', `db.selectFrom(${examples[0]})`]]);
    expect(violations(misplaced, rule)).toEqual(['logs/service.ts']);
  });

  it.each([
    ["    .selectFrom('public.resources')", 'graphql/mutations/update.ts'],
    ['  update public.resources set status = null', 'domains/domain-claims.ts'],
    ['  select id from resources', 'logs/service.ts'],
    [
      "  .innerJoin('public.resources as app', 'app.id', 'hook.app_id')",
      'connect/webhooks/hooks.ts',
    ],
  ])('finds %j in %s', (text, path) => {
    const rule = RULES['the table of apps, projects and integrations'] as Rule;
    expect(violations(new Map([[path, text]]), rule)).toEqual([path]);
  });

  it('ignores comments', () => {
    const comment = '/** Rows of\n * `public.resources`.\n */\n// public.resources\nconst x = 1;';
    expect(withoutComments(comment)).not.toContain('resources');
  });
});
