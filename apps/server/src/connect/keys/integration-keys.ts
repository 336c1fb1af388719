import { z } from 'zod';
import type { KeyedMutex } from '../../concurrency/keyed-semaphore.ts';
import { EngineFailure } from '../../engines/failure.ts';
import { Secret } from '../../secrets/secret.ts';
import { generateKeyPair } from '../../ssh/key-pair.ts';
import type { AccountAccess } from '../accounts/accounts.ts';
import type { Integration } from '../accounts/integrations.ts';
import { type SealedSecrets, SSH_KEY } from '../sealed-secrets.ts';

const StoredKey = z.object({ privateKey: z.string(), keyId: z.string() });

type KeyDeps = {
  secrets: SealedSecrets;
  accounts: AccountAccess;
  locks: KeyedMutex;
  /** The name of the key in the account's list of keys at the provider. */
  title: string;
};

export type IntegrationKeys = {
  /** The private key for cloning; created and registered at the provider on first use. */
  privateKeyFor(integration: Integration, signal: AbortSignal): Promise<Secret>;
  /** The key's id at the provider, if there is one. */
  registeredId(integrationId: string): Promise<string | undefined>;
};

/**
 * A key is stored after it was registered at the provider. After a crash in between, the registered key is unused: its
 * private key is lost.
 */
export function createIntegrationKeys({
  secrets,
  accounts,
  locks,
  title,
}: KeyDeps): IntegrationKeys {
  async function readKey(integrationId: string) {
    const secret = await secrets.read(integrationId, SSH_KEY);
    return secret && StoredKey.parse(JSON.parse(secret.reveal()));
  }

  async function createKey(integration: Integration, signal: AbortSignal): Promise<Secret> {
    const { publicKey, privateKey } = generateKeyPair();
    const isStored = await accounts.use(integration, async (provider, account) => {
      const keyId = await provider.addKey(account, { title, publicKey }, signal);
      const storedKey = JSON.stringify({ privateKey: privateKey.reveal(), keyId });
      if (await secrets.store(integration.id, SSH_KEY, new Secret(storedKey))) return true;
      await provider.removeKey(account, { id: keyId }, signal);
      return false;
    });
    // The integration was deleted in the meantime.
    if (!isStored) throw new EngineFailure('integration-not-found');
    return privateKey;
  }

  return {
    privateKeyFor: (integration, signal) =>
      locks.run(integration.id, async () => {
        const existing = await readKey(integration.id);
        return existing === undefined
          ? await createKey(integration, signal)
          : new Secret(existing.privateKey);
      }),
    registeredId: async (integrationId) => (await readKey(integrationId))?.keyId,
  };
}
