import type { MailText } from './mail-texts.ts';
import type { Mail } from './mailer.ts';

const FONT = "font-family:ui-sans-serif,system-ui,-apple-system,'Segoe UI',Roboto,sans-serif";
const MONO = 'font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace';

/** Mail clients apply inline styles; those with a dark mode also read this block. */
const DARK = `@media (prefers-color-scheme: dark) {
  .page { background: #0b1220 !important; }
  .card { background: #131c2e !important; border-color: #38bdf8 #24324b #24324b !important; }
  .strong { color: #f1f5f9 !important; }
  .soft { color: #9fb0c8 !important; }
  .code { background: #0b1220 !important; color: #7dd3fc !important; border-color: #24324b !important; }
  .button { background: #38bdf8 !important; color: #06202e !important; }
}`;

/** The HTML part of a mail: one card with one link or code. */
export function mailHtml(mail: Mail, text: MailText, greeting: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(text.subject)}</title>
<style>${DARK}</style>
</head>
<body class="page" style="margin:0;background:#eef2f7;${FONT}">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" style="background:#eef2f7"><tr><td align="center" style="padding:40px 16px">
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" style="max-width:480px;background:#ffffff;border:1px solid #dbe3ee;border-top:4px solid #0ea5e9;border-radius:12px"><tr><td style="padding:32px">
<p class="soft" style="margin:0 0 24px;font-size:13px;letter-spacing:.12em;text-transform:uppercase;color:#52657f">Longshore</p>
<h1 class="strong" style="margin:0 0 16px;font-size:22px;line-height:1.3;color:#0f1b2d">${escapeHtml(text.subject)}</h1>
<p class="strong" style="margin:0 0 8px;font-size:16px;line-height:1.5;color:#0f1b2d">${escapeHtml(greeting)}</p>
<p class="strong" style="margin:0 0 24px;font-size:16px;line-height:1.5;color:#0f1b2d">${escapeHtml(text.lead)}</p>
${linkOrCode(mail, text)}
<p class="soft" style="margin:24px 0 0;font-size:13px;line-height:1.5;color:#52657f">${escapeHtml(text.note)}</p>
</td></tr></table>
</td></tr></table>
</body>
</html>
`;
}

function linkOrCode({ link, code }: Mail, { action }: MailText): string {
  return [
    link === undefined ? '' : linkHtml(link, action),
    code === undefined ? '' : codeHtml(code),
  ]
    .filter((part) => part !== '')
    .join('\n');
}

function linkHtml(link: string, action: string): string {
  const url = escapeHtml(link);
  return `<p style="margin:0 0 24px"><a class="button" href="${url}" style="display:inline-block;padding:12px 20px;background:#0369a1;color:#ffffff;font-size:16px;font-weight:600;text-decoration:none;border-radius:8px">${escapeHtml(action)}</a></p>
<p class="soft" style="margin:0;font-size:13px;line-height:1.5;color:#52657f">If the button does not work, copy this URL into your browser:<br><span style="${MONO};word-break:break-all">${url}</span></p>`;
}

function codeHtml(code: string): string {
  return `<p class="code" style="margin:0;padding:16px;text-align:center;${MONO};font-size:32px;letter-spacing:.25em;background:#f1f6fb;color:#075985;border:1px solid #dbe3ee;border-radius:8px">${escapeHtml(code)}</p>`;
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** For text between tags and in quoted attributes. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
