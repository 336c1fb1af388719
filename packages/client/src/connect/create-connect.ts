import type { CallDeps } from '../setup/call.ts';
import { createAccounts } from './accounts.ts';
import type { Connect } from './connect.ts';
import { createRepositories } from './repositories.ts';
import { createWebhooks } from './webhooks.ts';

export function createConnect(deps: CallDeps): Connect {
  return { ...createAccounts(deps), ...createRepositories(deps), ...createWebhooks(deps) };
}
