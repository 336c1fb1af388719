import { request } from 'node:http';
import { autoDomain } from '@longshore/contract';
import type { Longshore } from './longshore.ts';

type Response = { status: number; body: string };

/** The response of an app at its generated URL. */
export function requestApp(
  longshore: Pick<Longshore, 'ingressPort'>,
  app: { id: string; name: string },
  path = '/',
): Promise<Response> {
  return requestHost(longshore, autoDomain(app, 'localhost'), path);
}

/** The response to a request for a host name. It need not resolve: it is only sent as the `Host` header. */
export async function requestHost(
  { ingressPort }: Pick<Longshore, 'ingressPort'>,
  host: string,
  path = '/',
): Promise<Response> {
  const headers = { host: `${host}:${ingressPort}` };
  return await new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port: ingressPort, path, headers, agent: false }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        body += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
    })
      .on('error', reject)
      .end();
  });
}
