import { chartNameOf } from '@longshore/contract';
import type { Database } from '../db/database.ts';
import { secretsInEnv, secretsInUrl } from '../secrets/secrets-in-env.ts';
import { newestReleases } from './releases.ts';

/** Older releases do not run any more, and their log lines are masked already. */
const MAX_RELEASES = 20;
/** Per owner: tokens are renewed regularly, so old ones are dropped. */
const MAX_USED_SECRETS = 50;

type SecretSource = { env?: Record<string, string>; source?: { url?: string } };

export type AppSecrets = {
  /** What no log line of an app may show: secrets of its values, of its releases, and of its owner's integrations. */
  ofApp(appId: string): Promise<string[]>;
  /** Records secrets that builds of this owner's apps use. Returns whether any of them is new. */
  recordUsed(ownerId: string, secrets: string[]): boolean;
};

export function createAppSecrets(db: Database): AppSecrets {
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
      const releases = await newestReleases(db, appId, MAX_RELEASES);
      const sources = [app.values as SecretSource, ...releases.map(({ values }) => values)];
      const used = usedByOwner.get(app.user_id) ?? [];
      return [...new Set([...sources.flatMap(secretsIn), ...used])];
    },
    recordUsed(ownerId, secrets) {
      const known = usedByOwner.get(ownerId) ?? new Set();
      const added = secrets.filter((secret) => !known.has(secret));
      usedByOwner.set(ownerId, new Set([...known, ...added].slice(-MAX_USED_SECRETS)));
      return added.length > 0;
    },
  };
}

function secretsIn({ env = {}, source }: SecretSource): string[] {
  return [...secretsInEnv(env), ...secretsInUrl(source?.url ?? '')];
}
