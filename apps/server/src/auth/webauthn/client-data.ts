import { z } from 'zod';

const ClientData = z.object({ challenge: z.string().regex(/^[A-Za-z0-9_-]{43}$/) });

/** The challenge a key says it signed; nothing when what it says cannot be one of ours. */
export function challengeOfClientData(clientDataJson: string): string | undefined {
  try {
    const text = Buffer.from(clientDataJson, 'base64url').toString('utf8');
    return ClientData.safeParse(JSON.parse(text)).data?.challenge;
  } catch {
    return undefined;
  }
}
