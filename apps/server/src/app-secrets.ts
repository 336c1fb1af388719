import { chartNameOf } from '@longshore/contract';
import type { Database } from './db/database.ts';
import { secretsInAddress, secretsInEnv } from './secrets/secrets-in-env.ts';

/** More of them are never up at the same time, and the lines of older ones are told. */
const RELEASES = 20;
/** Of each owner: tokens are renewed again and again. */
const LENT_SECRETS = 50;

type MadeOf = { env?: Record<string, string>; source?: { url?: string } };

export type AppSecrets = {
  /** What no line of an app may show: secrets of its wishes, of its releases, and of what its owner's integrations lent. */
  of(appId: string): Promise<string[]>;
  /** Secrets are lent to builds of a user's apps. Answers whether any of them is new. */
  lent(ownerId: string, secrets: string[]): boolean;
};

export function createAppSecrets(db: Database): AppSecrets {
  const lentTo = new Map<string, Set<string>>();
  return {
    async of(appId) {
      const app = await db
        .selectFrom('public.resources')
        .select(['user_id', 'values'])
        .where('id', '=', appId)
        .where('chart_name', '=', chartNameOf('app'))
        .executeTakeFirst();
      if (app === undefined) return [];
      const releases = await db
        .selectFrom('deploy.releases')
        .select(['env', 'made_of'])
        .where('app_id', '=', appId)
        .orderBy('number', 'desc')
        .limit(RELEASES)
        .execute();
      const made = releases.map(({ env, made_of }) => ({ ...(made_of as MadeOf), env }) as MadeOf);
      const found = [app.values as MadeOf, ...made].flatMap(secretsOf);
      return [...new Set([...found, ...(lentTo.get(app.user_id) ?? [])])];
    },
    lent(ownerId, secrets) {
      const known = lentTo.get(ownerId) ?? new Set();
      const unknown = secrets.filter((secret) => !known.has(secret));
      lentTo.set(ownerId, new Set([...known, ...unknown].slice(-LENT_SECRETS)));
      return unknown.length > 0;
    },
  };
}

function secretsOf({ env = {}, source }: MadeOf): string[] {
  return [...secretsInEnv(env), ...secretsInAddress(source?.url ?? '')];
}
