import type { Page } from 'playwright-core';
import { requestApp } from '../../e2e/support/request-app.ts';
import type { Longshore } from './longshore.ts';

const DEFAULT_RATE = 20_000;
const TIMEOUT_MS = 60_000;

/** A web app that prints lines on request: `/print?lines=100000&rate=5000`. */
export const LOG_BURST_APP = {
  'package.json': JSON.stringify({
    name: 'log-burst',
    private: true,
    scripts: { start: 'node server.js' },
  }),
  'server.js': `
    const TICK_MS = 10;
    let printed = 0;
    const line = () => \`\\u001b[36minfo\\u001b[0m request \${(printed += 1)} GET /lamps/brass 200 in \${printed % 97} ms\\n\`;
    require('node:http')
      .createServer(async (request, response) => {
        const params = new URL(request.url, 'http://localhost').searchParams;
        const lines = Number(params.get('lines') ?? 0);
        const perTick = Math.max(1, Math.round(Number(params.get('rate') ?? 20000) / 1000 * TICK_MS));
        for (let left = lines; left > 0; left -= perTick) {
          let text = '';
          for (let count = 0; count < Math.min(perTick, left); count += 1) text += line();
          process.stdout.write(text);
          await new Promise((resolve) => setTimeout(resolve, TICK_MS));
        }
        response.end(String(printed));
      })
      .listen(process.env.PORT);
  `,
};

type PrintOptions = { lines: number; rate?: number };

/** Returns the number of the last line printed. */
export async function printLines(
  longshore: Longshore,
  app: { id: string; name: string },
  { lines, rate = DEFAULT_RATE }: PrintOptions,
): Promise<string> {
  const search = new URLSearchParams({ lines: String(lines), rate: String(rate) });
  const { status, body } = await requestApp(longshore, app, `/print?${search}`);
  if (status !== 200) throw new Error(`The app returned ${status}`);
  return body;
}

/** Resolves when a page shows the line with this number. */
export async function waitForLine(page: Page, number: string): Promise<void> {
  await page.getByText(`request ${number} `).waitFor({ timeout: TIMEOUT_MS });
}
