import { z } from 'zod';
import type { KeyedMutex } from '../../concurrency/keyed-semaphore.ts';
import { EngineFailure } from '../../engines/failure.ts';
import { Secret } from '../../secrets/secret.ts';
import { generateKeyPair } from '../../ssh/key-pair.ts';
import type { Integration } from '../accounts/integration.ts';
import type { OpenAccounts } from '../accounts/open-accounts.ts';
import type { SealedSecrets } from '../secrets/sealed-secrets.ts';

const SSH_KEY = 'ssh-key';
const Stored = z.object({ privateKey: z.string(), keyId: z.string() });

type KeyDeps = {
  secrets: SealedSecrets;
  accounts: OpenAccounts;
  locks: KeyedMutex;
  /** Tells whose keys these are, among others that the account has. */
  title: string;
};

export type IntegrationKeys = {
  /** The key that clones for an integration; made and registered at the provider the first time. */
  of(integration: Integration, signal: AbortSignal): Promise<Secret>;
  /** The id under which the provider knows it, if there is one. */
  registeredId(integrationId: string): Promise<string | undefined>;
};

/**
 * It is kept once the provider has it. One that was registered by a server which died then is nobody's: its
 * private half is lost with it.
 */
export function createIntegrationKeys({
  secrets,
  accounts,
  locks,
  title,
}: KeyDeps): IntegrationKeys {
  async function stored(integrationId: string) {
    const secret = await secrets.read(integrationId, SSH_KEY);
    return secret && Stored.parse(JSON.parse(secret.reveal()));
  }

  async function made(integration: Integration, signal: AbortSignal): Promise<Secret> {
    const { publicKey, privateKey } = generateKeyPair();
    const isKept = await accounts.use(integration, async (provider, account) => {
      const keyId = await provider.addKey(account, { title, publicKey }, signal);
      const kept = JSON.stringify({ privateKey: privateKey.reveal(), keyId });
      if (await secrets.keep(integration.id, SSH_KEY, new Secret(kept))) return true;
      await provider.removeKey(account, { id: keyId }, signal);
      return false;
    });
    // It was deleted meanwhile.
    if (!isKept) throw new EngineFailure('integration-not-found');
    return privateKey;
  }

  return {
    of: (integration, signal) =>
      locks.run(integration.id, async () => {
        const before = await stored(integration.id);
        return before === undefined
          ? await made(integration, signal)
          : new Secret(before.privateKey);
      }),
    registeredId: async (integrationId) => (await stored(integrationId))?.keyId,
  };
}
