import { expect, it } from 'vitest';
import { errorPage } from './error-page.ts';
import { ERROR_RESPONSES } from './error-responses.ts';

it('escapes the host name', () => {
  const page = errorPage(ERROR_RESPONSES.unknown, `<script>alert("1")</script>'&`);
  expect(page).not.toContain('<script>');
  expect(page).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&#39;&amp;');
});

it('reloads itself for apps that are starting or failed, not for hibernated ones', () => {
  expect(errorPage(ERROR_RESPONSES.starting, 'a')).toContain('http-equiv="refresh"');
  expect(errorPage(ERROR_RESPONSES.failed, 'a')).toContain('http-equiv="refresh"');
  expect(errorPage(ERROR_RESPONSES.hibernated, 'a')).not.toContain('http-equiv="refresh"');
});

it('loads no other resource', () => {
  for (const response of Object.values(ERROR_RESPONSES)) {
    expect(errorPage(response, 'a')).not.toMatch(/src=|href=|url\(|<script/);
  }
});
