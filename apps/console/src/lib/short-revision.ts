const SHORT = 7;

/** Shortens commit hashes and digests in a text to 7 characters. */
export function shortRevision(text: string): string {
  return text.replace(/(?:sha256:)?\b([0-9a-f]{40,64})\b/g, (_, hex: string) =>
    hex.slice(0, SHORT),
  );
}
