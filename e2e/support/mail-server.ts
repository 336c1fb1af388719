import { type ReceivedMail, startSmtpServer, textOf } from '@longshore/server/testing/smtp-server';
import { vi } from 'vitest';

/** A real mail server. Each mail is read once, oldest first. */
export type MailServer = {
  url: string;
  /** The link in the next mail to an address. */
  linkTo(address: string): Promise<string>;
  /** The code in the next mail to an address. */
  codeTo(address: string): Promise<string>;
  stop(): Promise<void>;
};

const DELIVERY_TIMEOUT_MS = 30_000;

export async function startMailServer(): Promise<MailServer> {
  const server = await startSmtpServer();
  const read = new Set<ReceivedMail>();

  async function nextTo(address: string): Promise<string> {
    return await vi.waitFor(() => {
      const mail = server.received.find((one) => one.to.includes(address) && !read.has(one));
      if (mail === undefined) throw new Error(`No mail arrived for ${address}`);
      read.add(mail);
      return textOf(mail.content);
    }, DELIVERY_TIMEOUT_MS);
  }

  return {
    url: `smtp://127.0.0.1:${server.port}`,
    linkTo: async (address) => find(/^http\S+$/m, await nextTo(address)),
    codeTo: async (address) => find(/^\d{6}$/m, await nextTo(address)),
    stop: server.stop,
  };
}

function find(pattern: RegExp, text: string): string {
  const found = text.match(pattern)?.[0];
  if (found === undefined) throw new Error(`The mail does not match ${pattern}:\n${text}`);
  return found;
}
