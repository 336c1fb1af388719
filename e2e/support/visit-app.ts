import { request } from 'node:http';
import { autoDomain } from '@longshore/contract';
import type { Longshore } from './longshore.ts';

/** What an app answers at its public address. The name need not resolve: it is only told to the ingress. */
export async function visitApp(
  { ingressPort }: Pick<Longshore, 'ingressPort'>,
  app: { id: string; name: string },
  path = '/',
): Promise<{ status: number; body: string }> {
  const headers = { host: `${autoDomain(app, 'localhost')}:${ingressPort}` };
  return await new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port: ingressPort, path, headers, agent: false }, (answer) => {
      let body = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => {
        body += chunk;
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body }));
    })
      .on('error', reject)
      .end();
  });
}
