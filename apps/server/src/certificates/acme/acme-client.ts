import { createPublicKey, type KeyObject } from 'node:crypto';
import { calculateJwkThumbprint, exportJWK, FlattenedSign, type JWK } from 'jose';
import { z } from 'zod';
import type { Secret } from '../../secrets/secret.ts';
import { AcmeProblem, parseRetryAfter, toAcmeProblem } from './acme-problem.ts';
import { type AcmeSend, createSignedRequests, readJson, type Signer } from './signed-requests.ts';

export type AcmeSettings = {
  directory: string;
  email: string;
  /** External account binding: connects the account with one at the authority. */
  binding: { kid: string; hmacKey: Secret } | undefined;
};

export type AcmeOrder = z.infer<typeof Order> & Polled & { url: string };

/** The part of an authorization that is needed for HTTP-01. */
export type HttpAuthorization = Polled & {
  status: string;
  challenge: {
    url: string;
    status: string;
    token: string;
    /** What has to be served for the token. */
    response: string;
    problem: AcmeProblem | undefined;
  };
};

/** `retryAfterMs`: when to read it again, if the authority says so. */
type Polled = { retryAfterMs: number | undefined };

/** The protocol between server and certificate authority (RFC 8555), as far as HTTP-01 needs it. Throws an `AcmeProblem`. */
export type AcmeClient = {
  newOrder(domain: string, signal: AbortSignal): Promise<AcmeOrder>;
  order(url: string, signal: AbortSignal): Promise<AcmeOrder>;
  authorization(url: string, signal: AbortSignal): Promise<HttpAuthorization>;
  /** Asks the authority to validate. */
  respond(challengeUrl: string, signal: AbortSignal): Promise<void>;
  /** `request`: a certificate signing request in DER. */
  finalize(order: AcmeOrder, request: Buffer, signal: AbortSignal): Promise<AcmeOrder>;
  /** The chain, PEM. */
  certificate(url: string, signal: AbortSignal): Promise<string>;
};

const ProblemDocument = z.object({ type: z.string().optional(), detail: z.string().optional() });

const Order = z.object({
  status: z.enum(['pending', 'ready', 'processing', 'valid', 'invalid']),
  authorizations: z.array(z.url()).max(10),
  finalize: z.url(),
  certificate: z.url().optional(),
  error: ProblemDocument.optional(),
});

const Authorization = z.object({
  status: z.string(),
  challenges: z.array(
    z.object({
      type: z.string(),
      url: z.url(),
      status: z.string(),
      token: z.string().optional(),
      error: ProblemDocument.optional(),
    }),
  ),
});

const Account = z.object({ contact: z.array(z.string()).optional() });

/** A token is part of a path: anything but these characters is refused (RFC 8555, 8.3). */
const TOKEN = /^[\w-]{1,200}$/;

export function createAcmeClient({
  settings,
  accountKey,
  send,
  now,
}: {
  settings: AcmeSettings;
  /** Read when it is first needed. An elliptic-curve key, P-256. */
  accountKey(): Promise<KeyObject>;
  send: AcmeSend;
  now(): number;
}): AcmeClient {
  const requests = createSignedRequests({ directoryUrl: settings.directory, send, now });
  let registered: Promise<Signer> | undefined;

  /** Registering again with the same key finds the account. */
  async function register(signal: AbortSignal): Promise<Signer> {
    const key = await accountKey();
    const jwk = await exportJWK(createPublicKey(key));
    const { newAccount } = await requests.directory(signal);
    const contact = [`mailto:${settings.email}`];
    const binding = settings.binding && {
      externalAccountBinding: await bind(jwk, settings.binding, newAccount),
    };
    const payload = { termsOfServiceAgreed: true, contact, ...binding };
    const signer = { key, identity: { jwk } };
    const response = await requests.post(newAccount, payload, { signer, signal });
    const kid = response.headers.get('location');
    if (kid === null) throw new AcmeProblem('malformed', 'No account URL in the response');
    const account = await readJson(response, Account);
    const known = { key, identity: { kid } };
    if (account.contact !== undefined && account.contact[0] !== contact[0]) {
      await requests.post(kid, { contact }, { signer: known, signal });
    }
    return known;
  }

  async function signerOf(signal: AbortSignal): Promise<Signer> {
    const others = registered;
    registered ??= register(signal).catch((error) => {
      registered = undefined;
      throw error;
    });
    try {
      return await registered;
    } catch (error) {
      // The order that began the registration was ended, not this one.
      const isEnded = others !== undefined && !(error instanceof AcmeProblem) && !signal.aborted;
      if (!isEnded) throw error;
      return await signerOf(signal);
    }
  }

  async function post(url: string, payload: object | undefined, signal: AbortSignal) {
    try {
      return await requests.post(url, payload, { signer: await signerOf(signal), signal });
    } catch (error) {
      if (!(error instanceof AcmeProblem) || error.type !== 'accountDoesNotExist') throw error;
      // The authority has forgotten the account.
      registered = undefined;
      return await requests.post(url, payload, { signer: await signerOf(signal), signal });
    }
  }

  const polled = (response: Response): Polled => ({
    retryAfterMs: parseRetryAfter(response.headers.get('retry-after'), now()),
  });

  async function readOrder(response: Response, url: string): Promise<AcmeOrder> {
    return { ...(await readJson(response, Order)), ...polled(response), url };
  }

  return {
    async newOrder(domain, signal) {
      const { newOrder } = await requests.directory(signal);
      const identifiers = [{ type: 'dns', value: domain }];
      const response = await post(newOrder, { identifiers }, signal);
      const url = response.headers.get('location');
      if (url === null) throw new AcmeProblem('malformed', 'No order URL in the response');
      return await readOrder(response, url);
    },
    order: async (url, signal) => await readOrder(await post(url, undefined, signal), url),
    async authorization(url, signal) {
      const response = await post(url, undefined, signal);
      const { status, challenges } = await readJson(response, Authorization);
      const found = challenges.find(({ type }) => type === 'http-01');
      if (found?.token === undefined || !TOKEN.test(found.token)) {
        throw new AcmeProblem('malformed', 'The authority offers no HTTP-01 challenge');
      }
      const thumbprint = await calculateJwkThumbprint(
        await exportJWK(createPublicKey(await accountKey())),
      );
      return {
        status,
        ...polled(response),
        challenge: {
          url: found.url,
          status: found.status,
          token: found.token,
          response: `${found.token}.${thumbprint}`,
          problem: found.error && toAcmeProblem(found.error),
        },
      };
    },
    respond: async (url, signal) => void (await post(url, {}, signal)),
    async finalize({ url, finalize }, request, signal) {
      const response = await post(finalize, { csr: request.toString('base64url') }, signal);
      return await readOrder(response, url);
    },
    certificate: async (url, signal) => await (await post(url, undefined, signal)).text(),
  };
}

/** The account's public key, signed with the key that the authority gave the operator (RFC 8555, 7.3.4). */
async function bind(
  jwk: JWK,
  { kid, hmacKey }: NonNullable<AcmeSettings['binding']>,
  url: string,
): Promise<object> {
  return await new FlattenedSign(new TextEncoder().encode(JSON.stringify(jwk)))
    .setProtectedHeader({ alg: 'HS256', kid, url })
    .sign(Buffer.from(hmacKey.reveal(), 'base64url'));
}
