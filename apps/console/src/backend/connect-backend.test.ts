import type { Connect, ConnectError } from '@longshore/client';
import { describe, expect, it } from 'vitest';
import { connectPort, webhooksPort } from './connect-backend.ts';

const refusal = { status: 409, error: 'integration-in-use', message: 'API error (409): {}' };

function refusing(error: ConnectError): Connect {
  const refuse = async () => ({ ok: false, error });
  return new Proxy({} as Connect, { get: () => refuse });
}

describe('connecting', () => {
  it('leaves for the address of the ticket', async () => {
    const left: string[] = [];
    const oauthTicket = async () => ({ ok: true, data: { token: 't', url: 'https://here/login' } });
    const port = connectPort({ oauthTicket } as unknown as Connect, {
      leave: (url) => left.push(url),
    });
    expect(await port.leaveFor('gitlab')).toMatchObject({ ok: true });
    expect(left).toEqual(['https://here/login']);
  });

  it('stays where there is no ticket', async () => {
    const left: string[] = [];
    const port = connectPort(refusing(refusal), { leave: (url) => left.push(url) });
    expect(await port.leaveFor('gitlab')).toEqual({ ok: false, message: '' });
    expect(left).toEqual([]);
  });

  it.each<[string, Partial<ConnectError>, string]>([
    ['the sentence of the server', { serverMessage: 'Not here' }, 'Not here'],
    ['nothing where it said none', {}, ''],
    ['that nobody answered', { message: 'Network Error' }, 'Network Error'],
  ])('shows %s', async (_, error, message) => {
    const port = connectPort(refusing({ ...refusal, ...error }), { leave: () => undefined });
    const login = { username: 'ada', password: 'x' };
    expect(await port.connectDockerHub(login)).toEqual({ ok: false, message });
    expect(await webhooksPort(refusing({ ...refusal, ...error })).setWebhook('a', true)).toEqual({
      ok: false,
      message,
    });
  });

  it('hands on which apps keep an integration', async () => {
    const apps = [{ id: 'a1', name: 'shop', projectId: 'p1' }];
    const port = connectPort(refusing({ ...refusal, apps }), { leave: () => undefined });
    expect(await port.disconnect('i1', { isForced: false })).toEqual({
      ok: false,
      message: '',
      apps,
    });
  });
});
