import { request } from 'node:http';
import { autoDomain } from '@longshore/contract';
import type { Longshore } from './longshore.ts';

/** The response of an app at its public URL. The host name need not resolve: it is only sent as the `Host` header. */
export async function requestApp(
  { ingressPort }: Pick<Longshore, 'ingressPort'>,
  app: { id: string; name: string },
  path = '/',
): Promise<{ status: number; body: string }> {
  const headers = { host: `${autoDomain(app, 'localhost')}:${ingressPort}` };
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
