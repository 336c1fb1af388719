import type { ErrorResponse } from './error-responses.ts';

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const STYLE = `
:root{color-scheme:light dark;--background:#fafaf9;--card:#fff;--line:#e7e5e4;--text:#1c1917;--soft:#57534e}
@media(prefers-color-scheme:dark){:root{--background:#0c0a09;--card:#1c1917;--line:#292524;--text:#fafaf9;--soft:#a8a29e}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:1.5rem;background:var(--background);color:var(--text);font:16px/1.5 system-ui,sans-serif}
main{width:100%;max-width:28rem;padding:2rem;border:1px solid var(--line);border-top:3px solid #d97706;border-radius:.75rem;background:var(--card)}
p{margin:0;color:var(--soft);overflow-wrap:anywhere}
h1{margin:.25rem 0 .5rem;font-size:1.375rem;line-height:1.3}
.host{font:.875rem/1.5 ui-monospace,monospace}
.bar{height:4px;margin-top:1.5rem;border-radius:2px;background:var(--line);overflow:hidden}
.bar::after{content:"";display:block;width:40%;height:100%;border-radius:2px;background:#d97706;animation:slide 1.4s ease-in-out infinite}
@keyframes slide{from{transform:translateX(-100%)}to{transform:translateX(250%)}}
@media(prefers-reduced-motion:reduce){.bar::after{width:100%;animation:none;opacity:.6}}`;

/** A self-contained page: it loads no other resource. */
export function errorPage(
  { title, advice, refreshSeconds, isInProgress }: ErrorResponse,
  host: string,
): string {
  const refresh =
    refreshSeconds === undefined ? '' : `<meta http-equiv="refresh" content="${refreshSeconds}">`;
  const bar = isInProgress ? '<div class="bar" aria-hidden="true"></div>' : '';
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">${refresh}
<title>${escapeHtml(title)}</title><style>${STYLE}</style></head>
<body><main><p class="host">${escapeHtml(host)}</p><h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(advice)}</p>${bar}</main></body></html>
`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
}
