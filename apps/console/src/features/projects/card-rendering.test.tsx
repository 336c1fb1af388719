import { type Resource, ROUTES } from '@longshore/contract';
import { act, screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { createFakeClient } from '../../../test/fake-client.ts';
import { openConsole } from '../../../test/open-console.tsx';
import { anApp, aProject } from '../../../test/resources.ts';

const MANY = 60;
const shop = aProject();
const apps = Array.from({ length: MANY }, (_, index) =>
  anApp({ id: `a${index}`, name: `web-${index}` }),
);
const projects = Array.from({ length: MANY }, (_, index) =>
  aProject({ id: `p${index}`, name: `P${index}` }),
);

it.each<[string, string, Resource[], Resource]>([
  ['application', ROUTES.project(shop.id), [shop, ...apps], anApp({ id: 'a7', name: 'api' })],
  ['project', ROUTES.projects, projects, aProject({ id: 'p7', name: 'api' })],
])('renders only the card whose %s changed', async (_, path, rows, changed) => {
  const fake = createFakeClient({ resources: rows });
  openConsole(path, fake);
  await waitFor(() => expect(screen.getAllByRole('heading', { level: 2 })).toHaveLength(MANY));
  const renderedCards = countRenderedCards();
  // Every change sends all rows again, as new objects.
  act(() =>
    fake.showResources(structuredClone(rows.map((row) => (row.id === changed.id ? changed : row)))),
  );
  expect(await screen.findByRole('link', { name: 'api' })).toBeTruthy();
  expect(renderedCards()).toBe(1);
});

/** Each card formats its time once per render. */
function countRenderedCards(): () => number {
  const formatted = vi.spyOn(Date.prototype, 'toLocaleString');
  return () => formatted.mock.calls.length;
}
