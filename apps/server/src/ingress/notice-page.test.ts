import { expect, it } from 'vitest';
import { noticePage } from './notice-page.ts';
import { NOTICES } from './notices.ts';

it('escapes the host it names', () => {
  const page = noticePage(NOTICES.unknown, `<script>alert("1")</script>'&`);
  expect(page).not.toContain('<script>');
  expect(page).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&#39;&amp;');
});

it('tries again by itself only where waiting helps', () => {
  expect(noticePage(NOTICES.starting, 'a')).toContain('http-equiv="refresh"');
  expect(noticePage(NOTICES.failed, 'a')).toContain('http-equiv="refresh"');
  expect(noticePage(NOTICES.hibernated, 'a')).not.toContain('http-equiv="refresh"');
});

it('loads nothing from elsewhere', () => {
  for (const text of Object.values(NOTICES)) {
    expect(noticePage(text, 'a')).not.toMatch(/src=|href=|url\(|<script/);
  }
});
