import { render } from '@testing-library/react';
import { expect, it } from 'vitest';
import { BreakableUrl } from './breakable-url.tsx';

it.each([
  ['http://shop-1.localhost:4', 'http://shop-1|.localhost:4'],
  ['https://git.acme.io/web/shop.git', 'https://git|.acme|.io/|web/|shop|.git'],
  ['git@acme.io:web/shop.git', 'git@acme|.io:web/|shop|.git'],
  ['main', 'main'],
])('%s may break at %s', (url, expected) => {
  const { container } = render(<BreakableUrl>{url}</BreakableUrl>);
  expect(container.innerHTML.replaceAll('<wbr>', '|')).toBe(expected);
  expect(container.textContent).toBe(url);
});
