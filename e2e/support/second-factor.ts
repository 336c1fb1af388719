import { createRequire } from 'node:module';
import type { connectNhost3, Nhost3 } from './nhost.ts';

const require = createRequire(import.meta.url);

/** Runs the state machine of the older clients, as their React hook does. */
export function secondFactorOf(name: Nhost3, nhost: ReturnType<typeof connectNhost3>) {
  const client = require(name);
  const auth = createRequire(require.resolve(name)).resolve('@nhost/hasura-auth-js');
  const { interpret } = createRequire(auth)('xstate');
  const service = interpret(client.createEnableMfaMachine(nhost.auth.client)).start();
  return {
    async generate(): Promise<{ picture: string; secret: string }> {
      const { qrCodeDataUrl } = await client.generateQrCodePromise(service);
      return { picture: qrCodeDataUrl, secret: service.getSnapshot().context.secret };
    },
    activate: (code: string) => client.activateMfaPromise(service, code),
    /** Only the last version supports this. */
    disable: (code: string) => client.disableMfaPromise(service, code),
  };
}
