import type { Secret } from '../secrets/secret.ts';
import type { Mailer } from './mailer.ts';
import { renderMail } from './render-mail.ts';

/** The mail server could not be reached or did not accept the mail. */
export class MailFailure extends Error {
  override name = 'MailFailure';
}

type SmtpDeps = { url: Secret; from: string; timeouts?: Partial<Timeouts> };
type Timeouts = { connectMs: number; greetingMs: number; idleMs: number; totalMs: number };

const TIMEOUTS: Timeouts = {
  connectMs: 10_000,
  greetingMs: 10_000,
  idleMs: 15_000,
  totalMs: 30_000,
};

/** Uses one connection per mail: mails are few, and a mail on a broken pooled connection would be lost. */
export function createSmtpMailer({ url, from, timeouts }: SmtpDeps): Mailer {
  const { connectMs, greetingMs, idleMs, totalMs } = { ...TIMEOUTS, ...timeouts };
  const options = {
    url: url.reveal(),
    dnsTimeout: connectMs,
    connectionTimeout: connectMs,
    greetingTimeout: greetingMs,
    socketTimeout: idleMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  return {
    async send(mail) {
      const { createTransport } = await import('nodemailer');
      const transport = createTransport(options);
      const deadline = rejectAfter(totalMs);
      try {
        // Prevents automatic replies (RFC 3834).
        const headers = { 'Auto-Submitted': 'auto-generated' };
        const sent = transport.sendMail({ from, headers, ...renderMail(mail) });
        await Promise.race([sent, deadline.reached]);
      } catch (cause) {
        throw new MailFailure('The mail server did not accept the mail', { cause });
      } finally {
        deadline.clear();
        transport.close();
      }
    },
  };
}

/** Each response of a slow server resets the idle timeout, so the total time is limited too. */
function rejectAfter(ms: number): { reached: Promise<never>; clear(): void } {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`Not finished after ${ms} ms`)), ms);
  return { reached: promise, clear: () => clearTimeout(timer) };
}
