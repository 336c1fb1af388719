import { AUTO_DOMAIN, chartNameOf } from '@longshore/contract';
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';

/** Which app a custom domain belongs to: the first for which it was seen to lead here. */
export type Claims = {
  /** The custom domain an app wishes for. */
  domainOf(appId: string): Promise<string | undefined>;
  /** Answers whether it is the app's now, and all apps that wish for it. */
  claim(domain: string, appId: string): Promise<{ isHeld: boolean; rivals: string[] }>;
  /** It leads elsewhere now. */
  giveUp(domain: string, appId: string): Promise<void>;
  isHeldByOther(domain: string, appId: string): Promise<boolean>;
};

export function createClaims(db: Database): Claims {
  function wishing() {
    return db
      .selectFrom('public.resources')
      .where('chart_name', '=', chartNameOf('app'))
      .where('deleted', '=', false)
      .where(sql<boolean>`values #> '{publicAccess,enabled}' = 'true'`);
  }

  async function holderOf(domain: string): Promise<string | undefined> {
    const held = db.selectFrom('deploy.held_domains').select('app_id').where('domain', '=', domain);
    return (await held.executeTakeFirst())?.app_id;
  }

  return {
    async domainOf(appId) {
      const row = await wishing()
        .select(sql<string>`values #>> '{publicAccess,domain}'`.as('domain'))
        .where('id', '=', appId)
        .executeTakeFirst();
      return row?.domain === AUTO_DOMAIN ? undefined : row?.domain;
    },
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
      const rivals = await wishing()
        .select('id')
        .where(sql`values #>> '{publicAccess,domain}'`, '=', domain)
        .execute();
      return { isHeld: (await holderOf(domain)) === appId, rivals: rivals.map(({ id }) => id) };
    },
    async giveUp(domain, appId) {
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
