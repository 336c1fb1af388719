import { z } from 'zod';
import { askProvider, ProviderFailure } from './ask-provider.ts';

const Metadata = z.object({
  issuer: z.string(),
  authorization_endpoint: z.url({ protocol: /^https?$/ }),
  token_endpoint: z.url({ protocol: /^https?$/ }),
  jwks_uri: z.url({ protocol: /^https?$/ }),
});

export type IssuerMetadata = z.infer<typeof Metadata>;

type DiscoveryDeps = { fetch: typeof fetch; clock: { now(): number } };

const KEPT_FOR_MS = 3_600_000;

/** What an issuer says of itself, asked once an hour at most. A failure is not kept. */
export function createDiscovery(
  issuer: string,
  { fetch, clock }: DiscoveryDeps,
): () => Promise<IssuerMetadata> {
  let kept: { answer: Promise<IssuerMetadata>; until: number } | undefined;
  return () => {
    if (kept !== undefined && clock.now() < kept.until) return kept.answer;
    const asked = { answer: ask(issuer, fetch), until: clock.now() + KEPT_FOR_MS };
    kept = asked;
    asked.answer.catch(() => {
      if (kept === asked) kept = undefined;
    });
    return asked.answer;
  };
}

async function ask(issuer: string, fetch: typeof globalThis.fetch): Promise<IssuerMetadata> {
  const answer = await askProvider(fetch, `${issuer}/.well-known/openid-configuration`);
  const metadata = Metadata.safeParse(answer);
  if (!metadata.success) throw new ProviderFailure('does not say where its endpoints are');
  // Else another issuer could speak in its name.
  if (metadata.data.issuer.replace(/\/$/, '') !== issuer)
    throw new ProviderFailure('calls itself otherwise');
  return metadata.data;
}
