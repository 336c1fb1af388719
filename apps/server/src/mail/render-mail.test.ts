import { describe, expect, it } from 'vitest';
import { WORDS } from './mail-texts.ts';
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

describe.each(Object.keys(WORDS) as MailPurpose[])('a mail for %s', (purpose) => {
  const thing = purpose === 'sign-in-code' ? { code: '123456' } : { link };
  const { subject, html, text } = renderMail({
    ...mail,
    link: undefined,
    ...thing,
    purpose,
  } as Mail);

  it('has a subject of its own', () => {
    const subjects = Object.values(WORDS).map((words) => words.subject);
    expect(subjects.filter((other) => other === subject)).toHaveLength(1);
  });

  it('holds the link or the code in both forms', () => {
    expect(text).toContain(thing.link ?? thing.code);
    expect(html).toContain((thing.link ?? thing.code ?? '').replaceAll('&', '&amp;'));
  });

  it('can be read in the dark and needs nothing from outside', () => {
    expect(html).toContain('prefers-color-scheme: dark');
    expect(html).not.toMatch(/<(?:img|script|link)|url\(/);
  });

  it('leaves no gap where a part is missing', () => {
    expect(`${html}${text}`).not.toMatch(/undefined|null|\[object/);
  });
});

it.each([
  ['a tag', '<b>Ada</b>', '&lt;b&gt;Ada&lt;/b&gt;'],
  ['an ampersand', 'Ada & Eve', 'Ada &amp; Eve'],
  ['quotes', `"Ada" 'Eve'`, '&quot;Ada&quot; &#39;Eve&#39;'],
])('shows %s in a name as it was typed', (_, displayName, escaped) => {
  const { html, text } = renderMail({ ...mail, displayName });
  expect(html).toContain(`Hello ${escaped},`);
  expect(html).not.toContain(displayName);
  expect(text).toContain(`Hello ${displayName},`);
});

it('does not let an address break out of the link', () => {
  const { html } = renderMail({ ...mail, link: 'http://localhost/"><script>alert(1)</script>' });
  expect(html).not.toContain('<script>');
});

it.each([['ada@example.com'], ['somebody@else.example'], ['  '], ['Win 1000$ at evil.example']])(
  'greets nobody by “%s”',
  (displayName) => {
    expect(renderMail({ ...mail, displayName }).text).toMatch(/^Hello,\n/);
  },
);

it('keeps a name on one line', () => {
  const { text } = renderMail({
    ...mail,
    displayName: 'Ada\r\nBcc: J. R. Eve',
  });
  expect(text).toMatch(/^Hello Ada Bcc: J. R. Eve,\n/);
});
