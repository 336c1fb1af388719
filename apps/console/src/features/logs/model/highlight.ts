export type HighlightPart = { text: string; isHit: boolean };

/** Splits a text around every hit, whatever its case. */
export function highlightParts(text: string, search: string): HighlightPart[] {
  if (search === '') return [{ text, isHit: false }];
  const parts: HighlightPart[] = [];
  const lower = text.toLowerCase();
  const wanted = search.toLowerCase();
  let end = 0;
  for (let hit = lower.indexOf(wanted); hit !== -1; hit = lower.indexOf(wanted, end)) {
    if (hit > end) parts.push({ text: text.slice(end, hit), isHit: false });
    end = hit + wanted.length;
    parts.push({ text: text.slice(hit, end), isHit: true });
  }
  if (end < text.length) parts.push({ text: text.slice(end), isHit: false });
  return parts;
}
