import { describe, expect, it } from 'vitest';
import { MAIL_TEXTS } from './mail-texts.ts';
import type { Mail, MailPurpose } from './mailer.ts';
import { renderMail } from './render-mail.ts';

const link = 'http://localhost:1337/v1/auth/verify?type=emailVerify&ticket=verifyEmail%3A1';
const mail: Mail = {
  to: 'ada@example.com',
  purpose: 'verify-email',
  displayName: 'Ada',
  locale: 'en',
  link,
};

function contentOf(purpose: MailPurpose): Pick<Mail, 'link' | 'code'> {
  if (purpose === 'email-changed') return {};
  return purpose.endsWith('-code') ? { code: '123456' } : { link };
}

describe.each(Object.keys(MAIL_TEXTS) as MailPurpose[])('a mail for %s', (purpose) => {
  const linkOrCode = contentOf(purpose);
  const { subject, html, text } = renderMail({
    ...mail,
    link: undefined,
    ...linkOrCode,
    purpose,
  } as Mail);

  it('has a unique subject', () => {
    const subjects = Object.values(MAIL_TEXTS).map((text) => text.subject);
    expect(subjects.filter((other) => other === subject)).toHaveLength(1);
  });

  it('holds the link or the code in HTML and plain text', () => {
    expect(text).toContain(linkOrCode.link ?? linkOrCode.code ?? '');
    expect(html).toContain((linkOrCode.link ?? linkOrCode.code ?? '').replaceAll('&', '&amp;'));
  });

  it('supports dark mode and loads no external resources', () => {
    expect(html).toContain('prefers-color-scheme: dark');
    expect(html).not.toMatch(/<(?:img|script|link)|url\(/);
  });

  it('renders no undefined values', () => {
    expect(`${html}${text}`).not.toMatch(/undefined|null|\[object/);
  });
});

it.each([
  ['a tag', '<b>Ada</b>', '&lt;b&gt;Ada&lt;/b&gt;'],
  ['an ampersand', 'Ada & Eve', 'Ada &amp; Eve'],
  ['quotes', `"Ada" 'Eve'`, '&quot;Ada&quot; &#39;Eve&#39;'],
])('escapes %s in a display name', (_, displayName, escaped) => {
  const { html, text } = renderMail({ ...mail, displayName });
  expect(html).toContain(`Hello ${escaped},`);
  expect(html).not.toContain(displayName);
  expect(text).toContain(`Hello ${displayName},`);
});

it('escapes the link', () => {
  const { html } = renderMail({ ...mail, link: 'http://localhost/"><script>alert(1)</script>' });
  expect(html).not.toContain('<script>');
});

it.each([['ada@example.com'], ['somebody@else.example'], ['  '], ['Win 1000$ at evil.example']])(
  'does not greet the user as “%s”',
  (displayName) => {
    expect(renderMail({ ...mail, displayName }).text).toMatch(/^Hello,\n/);
  },
);

it('puts the name on one line', () => {
  const { text } = renderMail({
    ...mail,
    displayName: 'Ada\r\nBcc: J. R. Eve',
  });
  expect(text).toMatch(/^Hello Ada Bcc: J. R. Eve,\n/);
});
