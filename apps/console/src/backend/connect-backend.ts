import type { Connect, ConnectError, ConnectResult } from '@longshore/client';
import type { Answer } from './answer.ts';
import type { ConnectPort } from './connect-port.ts';
import type { WebhooksPort } from './webhooks-port.ts';

type Browser = { leave(url: string): void };

export function connectPort(client: Connect, { leave }: Browser): ConnectPort {
  return {
    async leaveFor(provider) {
      const ticket = await client.oauthTicket(provider);
      if (!ticket.ok) return { ok: false, message: sentenceOf(ticket.error) };
      leave(ticket.data.url);
      return { ok: true, value: undefined };
    },
    connectToken: async (account) => answerOf(await client.connectToken(account)),
    connectDockerHub: async (login) => answerOf(await client.connectDockerHub(login)),
    connectRegistry: async (login) => answerOf(await client.connectRegistry(login)),
    async disconnect(id, { isForced }) {
      const result = await client.deleteIntegration(id, { isForced });
      if (result.ok) return { ok: true };
      const { apps } = result.error;
      return { ok: false, message: sentenceOf(result.error), ...(apps && { apps }) };
    },
    repositories: async (id, search, signal) =>
      answerOf(await client.repositories(id, { search, signal })),
    validateRepository: async (id, name) => answerOf(await client.validateRepository(id, name)),
    async branches(id, name, signal) {
      const answer = answerOf(await client.branches(id, name, { signal }));
      return answer.ok ? { ok: true, value: answer.value.branches } : answer;
    },
    async tags(id, name, signal) {
      const answer = answerOf(await client.tags(id, name, { signal }));
      return answer.ok ? { ok: true, value: answer.value.tags } : answer;
    },
  };
}

export function webhooksPort(client: Connect): WebhooksPort {
  return {
    webhook: async (appId, signal) => answerOf(await client.webhook(appId, { signal })),
    setWebhook: async (appId, isOn) => answerOf(await client.switchWebhook(appId, isOn)),
    deliveries: async (appId, signal) => answerOf(await client.deliveries(appId, { signal })),
    replay: async (appId, id) => answerOf(await client.replayDelivery(appId, id)),
  };
}

function answerOf<Value>(result: ConnectResult<Value>): Answer<Value> {
  return result.ok
    ? { ok: true, value: result.data }
    : { ok: false, message: sentenceOf(result.error) };
}

/** What a server answered without a sentence of its own is nothing to show. */
function sentenceOf({ serverMessage, message }: ConnectError): string {
  return serverMessage ?? (message.startsWith('API error') ? '' : message);
}
