import { connectPath, decodeDeliveries, isDelivery, isWebhook } from '@longshore/contract';
import type { CallDeps } from '../setup/call.ts';
import { askConnect } from './ask-connect.ts';
import type { Webhooks } from './connect.ts';
import { only, orEmpty } from './decode-answer.ts';

export function createWebhooks(deps: CallDeps): Webhooks {
  return {
    webhook: (appId, options) =>
      askConnect(deps, {
        ...options,
        path: connectPath('webhook', { appId }),
        decode: only(isWebhook),
      }),
    switchWebhook: (appId, isEnabled) =>
      askConnect(deps, {
        path: connectPath('webhook', { appId }),
        method: 'POST',
        body: { enabled: isEnabled },
        decode: only(isWebhook),
      }),
    deliveries: (appId, options) =>
      askConnect(deps, {
        ...options,
        path: connectPath('deliveries', { appId }),
        decode: orEmpty([], decodeDeliveries),
      }),
    replayDelivery: (appId, id) =>
      askConnect(deps, {
        path: connectPath('replayDelivery', { appId, id }),
        method: 'POST',
        decode: only(isDelivery),
      }),
  };
}
