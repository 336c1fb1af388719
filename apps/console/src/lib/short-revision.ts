const SHORT = 7;

/** Commits and digests as people tell them apart; everything else as it is. */
export function shortRevision(text: string): string {
  return text.replace(/(?:sha256:)?\b([0-9a-f]{40,64})\b/g, (_, hex: string) =>
    hex.slice(0, SHORT),
  );
}
