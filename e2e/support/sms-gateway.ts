import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** The operator's SMS gateway, which receives Longshore's webhook. */
export type SmsGateway = {
  url: string;
  /** The code in the newest message to a number. */
  codeTo(phoneNumber: string): string;
  stop(): Promise<void>;
};

export async function startSmsGateway(): Promise<SmsGateway> {
  const received: { to: string; text: string }[] = [];
  const server = createServer((request, response) => {
    void json(request).then((message) => {
      received.push(message as { to: string; text: string });
      response.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    codeTo(phoneNumber) {
      const text = received.findLast(({ to }) => to === phoneNumber)?.text ?? '';
      const [code] = text.match(/\b\d{6}\b/) ?? [];
      if (code === undefined) throw new Error(`No code arrived for ${phoneNumber}`);
      return code;
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
