import { chartNameOf, unescapeReferences } from '@longshore/contract';
import type { Database } from '../db/database.ts';
import { secretsInEnv, secretsInUrl } from '../secrets/secrets-in-env.ts';
import { MASKED_RELEASES, newestReleases } from './releases.ts';
import type { ReadEnv, Variables } from './variables.ts';

/** Per owner: tokens are renewed regularly, so old ones are dropped. */
const MAX_USED_SECRETS = 50;

type SecretSource = { env?: unknown; source?: { url?: string } };

type AppSecretsDeps = { db: Database; variables: Variables };

export type AppSecrets = {
  /** What no log line of an app may show: secrets of its values, of its releases, and of its owner's integrations. */
  ofApp(appId: string): Promise<string[]>;
  /** Records secrets that builds of this owner's apps use. Returns whether any of them is new. */
  recordUsed(ownerId: string, secrets: string[]): boolean;
};

export function createAppSecrets({ db, variables }: AppSecretsDeps): AppSecrets {
  const usedByOwner = new Map<string, Set<string>>();
  return {
    async ofApp(appId) {
      const app = await db
        .selectFrom('public.resources')
        .select(['user_id', 'values'])
        .where('id', '=', appId)
        .where('chart_name', '=', chartNameOf('app'))
        .executeTakeFirst();
      if (app === undefined) return [];
      const releases = await newestReleases(db, appId, MASKED_RELEASES);
      const sources: SecretSource[] = [
        app.values as SecretSource,
        ...releases.flatMap(({ values, hashes, referred }) => [
          { ...values, env: hashes },
          ...referred.map((env) => ({ env })),
        ]),
      ];
      const stored = sources.map(({ env }) => ({ appId, env }));
      const envs = await variables.readEnvs(db, stored);
      const secrets = [
        ...envs.flatMap(writtenForms).flatMap(secretsInEnv),
        ...sources.flatMap(({ source }) => secretsInUrl(source?.url ?? '')),
      ];
      return [...new Set([...secrets, ...(usedByOwner.get(app.user_id) ?? [])])];
    },
    recordUsed(ownerId, secrets) {
      const known = usedByOwner.get(ownerId) ?? new Set();
      const added = secrets.filter((secret) => !known.has(secret));
      usedByOwner.set(ownerId, new Set([...known, ...added].slice(-MAX_USED_SECRETS)));
      return added.length > 0;
    },
  };
}

/** What can be read, as it is stored and as the app gets it. */
function writtenForms(env: ReadEnv): Record<string, string>[] {
  const readable = Object.entries(env).filter(
    (entry): entry is [string, string] => entry[1] !== null,
  );
  const unescaped = readable.map(([name, value]) => [name, unescapeReferences(value)]);
  return [Object.fromEntries(readable), Object.fromEntries(unescaped)];
}
