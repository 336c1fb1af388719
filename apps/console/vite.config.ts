import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { guide } from './guide/guide-plugin.ts';
import { precompress } from './precompress.ts';

const backend = `http://localhost:${process.env.LONGSHORE_PORT ?? 1337}`;
const proxied = { target: backend, ws: true };

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
  },
});
