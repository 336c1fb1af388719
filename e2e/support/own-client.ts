import { type Client, createClient } from '@longshore/client';
import { onTestFinished } from 'vitest';
import { memoryStorage, newEmail, PASSWORD } from './nhost.ts';

/** Our own client outside a browser, stopped at the end of the test. */
export function connectOwnClient(url: string): Client {
  const client = createClient({
    authUrl: `${url}/v1/auth`,
    graphqlUrl: `${url}/v1/graphql`,
    storageUrl: `${url}/v1/storage`,
    functionsUrl: `${url}/v1/functions`,
    logsUrl: `${url}/v1/logs`,
    clock: {
      now: () => Date.now(),
      setTimeout: (callback, delayMs) => setTimeout(callback, delayMs),
      clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
    },
    fetch: (address, init) => fetch(address, init),
    storage: memoryStorage(),
  });
  onTestFinished(client.stop);
  return client;
}

/** The same, signed up as a new user. */
export async function signUpOwnClient(url: string, email = newEmail()): Promise<Client> {
  const client = connectOwnClient(url);
  await client.auth.signUp({ email, password: PASSWORD });
  return client;
}
