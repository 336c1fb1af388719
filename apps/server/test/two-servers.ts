import { migrate } from '../src/db/migrate.ts';
import type { Mail } from '../src/mail/mailer.ts';
import { Secret } from '../src/secrets/secret.ts';
import { type Backend, type BackendOptions, startBackend, stopWithoutErrors } from './backend.ts';
import { requestsTo } from './backend-requests.ts';
import { createTestDatabase } from './db/test-database.ts';

export type TwoServers = {
  first: Backend;
  second: Backend;
  /** Sends each request to the server that did not get the one before, as a load balancer may. */
  both: Backend;
  stop(): Promise<void>;
};

/** Two servers that share their state: one database, and an object store in the options. */
export async function startTwoServers(options: BackendOptions): Promise<TwoServers> {
  const database = await createTestDatabase(migrate);
  const mails: Mail[] = [];
  const shared: BackendOptions = {
    ...options,
    masterKey: new Secret('a master key of at least 32 characters'),
    mailer: { send: async (mail) => void mails.push(mail) },
    database: { ...database, drop: async () => {} },
  };
  const [first, second] = await Promise.all([startBackend(shared), startBackend(shared)]);
  let count = 0;
  const send = (path: string, init: RequestInit = {}) => {
    count += 1;
    return (count % 2 === 0 ? second : first).app.request(path, init);
  };
  const clock = {
    ...first.clock,
    get ahead() {
      return first.clock.ahead;
    },
    set ahead(ms: number) {
      first.clock.ahead = ms;
      second.clock.ahead = ms;
    },
  };
  const app = { request: send } as unknown as Backend['app'];
  return {
    first,
    second,
    both: { ...first, ...requestsTo(send), app, clock, mails },
    async stop() {
      await stopWithoutErrors(first);
      await stopWithoutErrors(second);
      await database.drop();
    },
  };
}
