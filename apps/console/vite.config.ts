import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { guide } from './guide/guide-plugin.ts';
import { precompress } from './precompress.ts';

const backend = `http://localhost:${process.env.LONGSHORE_PORT ?? 1337}`;
const proxied = { target: backend, ws: true };

/** What the sign-in page needs and what needs nothing of the entry, so that the two files do not wait for each other. */
const BASE = new RegExp(
  [
    'node_modules/(react|react-dom|scheduler|clsx)/',
    'contract/src/(paths|constants|email|characters)\\.ts$',
    'console/src/lib/(use-observable|use-document-title|page-location)\\.tsx?$',
    'console/src/client/(use-request|console-environment)\\.tsx?$',
    'console/src/ui/(button|button-style|spinner|field|text-input|logo|page-link)\\.tsx?$',
    'console/src/features/auth/(auth-layout|email-field|messages|text-link)\\.tsx?$',
  ].join('|'),
);

export default defineConfig({
  plugins: [react(), tailwindcss(), guide(), precompress()],
  server: {
    proxy: { '/v1': proxied, '/auth/v1': proxied, '/config.json': proxied, '/docs': proxied },
  },
  build: {
    target: 'es2024',
    modulePreload: { polyfill: false },
    // A page loads what it shows; nothing is inlined, so the policy can forbid inline content.
    assetsInlineLimit: 0,
    // Small files compress badly: what every page begins with is one.
    rolldownOptions: {
      // A word that several pages say is written into each, not fetched as one more file.
      optimization: { inlineConst: true },
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [{ name: 'base', test: BASE }],
        },
      },
    },
  },
});
