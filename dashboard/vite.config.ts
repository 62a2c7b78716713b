import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Where `npm run dev` finds the service; the build is served by the service itself. */
const SERVICE_URL = `http://127.0.0.1:${process.env['PORT'] ?? 8000}`;

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  // The service replaces this in every answer; see server/src/http/dashboard-files.ts.
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    target: 'es2022',
    manifest: true,
    // Everything is a file of its own: the Content-Security-Policy allows few data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: {
    host: '127.0.0.1',
    proxy: { '/v1': SERVICE_URL, '/health': SERVICE_URL, '/docs': SERVICE_URL, '/openapi.json': SERVICE_URL },
  },
});
