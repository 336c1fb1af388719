import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { guide } from './guide/guide-plugin.ts';
import { precompress } from './precompress.ts';

const backend = `http://localhost:${process.env.LONGSHORE_PORT ?? 1337}`;
const proxied = { target: backend, ws: true };

/** Modules of the sign-in page that do not depend on the entry chunk, so that both files load in parallel. */
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
    // The server decides which origins may read its responses.
    cors: false,
    proxy: { '/v1': proxied, '/auth/v1': proxied, '/config.json': proxied, '/docs': proxied },
  },
  build: {
    target: 'es2024',
    modulePreload: { polyfill: false },
    // Nothing is inlined, so that the content security policy can forbid inline content.
    assetsInlineLimit: 0,
    // One chunk for the modules that every page needs, because small files compress badly.
    rolldownOptions: {
      // Constants shared by several pages are inlined instead of loaded as another file.
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
