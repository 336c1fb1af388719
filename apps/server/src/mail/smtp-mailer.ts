import type { Secret } from '../secrets/secret.ts';
import type { Mailer } from './mailer.ts';
import { renderMail } from './render-mail.ts';

/** The mail server could not be reached or did not take the mail. */
export class MailFailure extends Error {
  override name = 'MailFailure';
}

type SmtpDeps = { url: Secret; from: string; deadlines?: Partial<Deadlines> };
type Deadlines = { connectMs: number; greetingMs: number; silenceMs: number; wholeMs: number };

const DEADLINES: Deadlines = {
  connectMs: 10_000,
  greetingMs: 10_000,
  silenceMs: 15_000,
  wholeMs: 30_000,
};

/** Mails through a server, one connection for each: mails are few, and none is lost with a pooled connection. */
export function createSmtpMailer({ url, from, deadlines }: SmtpDeps): Mailer {
  const { connectMs, greetingMs, silenceMs, wholeMs } = { ...DEADLINES, ...deadlines };
  const options = {
    url: url.reveal(),
    dnsTimeout: connectMs,
    connectionTimeout: connectMs,
    greetingTimeout: greetingMs,
    socketTimeout: silenceMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  return {
    async send(mail) {
      const { createTransport } = await import('nodemailer');
      const transport = createTransport(options);
      const deadline = rejectAfter(wholeMs);
      try {
        // RFC 3834: keeps vacation notices away.
        const headers = { 'Auto-Submitted': 'auto-generated' };
        const sent = transport.sendMail({ from, headers, ...renderMail(mail) });
        await Promise.race([sent, deadline.reached]);
      } catch (cause) {
        throw new MailFailure('The mail server did not take a mail', { cause });
      } finally {
        deadline.clear();
        transport.close();
      }
    },
  };
}

/** Every answer of a slow server restarts the wait for the next one, so the whole has a limit too. */
function rejectAfter(ms: number): { reached: Promise<never>; clear(): void } {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`No end after ${ms} ms`)), ms);
  return { reached: promise, clear: () => clearTimeout(timer) };
}
