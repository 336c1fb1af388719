import { sql } from 'kysely';
import type { Apps } from '../apps/apps.ts';
import type { Database } from '../db/database.ts';

/** Which app a custom domain belongs to: the first one whose domain check found DNS records that point to this server. */
export type DomainClaims = {
  /** The custom domain in an app's settings. */
  domainOf(appId: string): Promise<string | undefined>;
  /** Returns whether the domain belongs to the app now, and the ids of all apps with this domain in their settings. */
  claim(domain: string, appId: string): Promise<{ isHeld: boolean; claimants: string[] }>;
  /** Releases the domain: its DNS records point elsewhere now. */
  release(domain: string, appId: string): Promise<void>;
  isHeldByOther(domain: string, appId: string): Promise<boolean>;
};

type DomainClaimsDeps = { db: Database; apps: Pick<Apps, 'customDomainOf' | 'withCustomDomain'> };

export function createDomainClaims({ db, apps }: DomainClaimsDeps): DomainClaims {
  async function holderOf(domain: string): Promise<string | undefined> {
    const held = db.selectFrom('deploy.held_domains').select('app_id').where('domain', '=', domain);
    return (await held.executeTakeFirst())?.app_id;
  }

  return {
    domainOf: apps.customDomainOf,
    async claim(domain, appId) {
      await sql`
        delete from deploy.domains as stale
        where (stale.domain = ${domain} or stale.app_id = ${appId}) and not exists (
          select from deploy.held_domains as held where held.domain = stale.domain
        )`.execute(db);
      await db
        .insertInto('deploy.domains')
        .values({ domain, app_id: appId })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      const claimants = await apps.withCustomDomain(domain);
      return { isHeld: (await holderOf(domain)) === appId, claimants };
    },
    async release(domain, appId) {
      await db
        .deleteFrom('deploy.domains')
        .where('domain', '=', domain)
        .where('app_id', '=', appId)
        .execute();
    },
    async isHeldByOther(domain, appId) {
      const holder = await holderOf(domain);
      return holder !== undefined && holder !== appId;
    },
  };
}
