/** A provider did not answer, or not as agreed. The message holds no secret. */
export class ProviderFailure extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ProviderFailure';
  }
}

const DEADLINE_MS = 10_000;
const MAX_ANSWER_BYTES = 500_000;

/** Asks a provider for JSON, within a deadline. Redirects are not followed: they would carry secrets elsewhere. */
export async function askProvider(
  fetch: typeof globalThis.fetch,
  url: string,
  init: RequestInit = {},
): Promise<unknown> {
  const signal = AbortSignal.timeout(DEADLINE_MS);
  try {
    const response = await fetch(url, {
      ...init,
      headers: { accept: 'application/json', 'user-agent': 'longshore', ...init.headers },
      redirect: 'error',
      signal,
    });
    const text = await readText(response);
    if (!response.ok) throw new ProviderFailure(`answered ${response.status}`);
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof ProviderFailure) throw error;
    throw new ProviderFailure(
      signal.aborted ? 'did not answer in time' : 'gave no readable answer',
      {
        cause: error,
      },
    );
  }
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_ANSWER_BYTES) throw new ProviderFailure('answered too much');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
