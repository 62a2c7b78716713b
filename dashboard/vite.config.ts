import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The service that `npm run dev` proxies to. The service itself serves the build. */
const SERVICE_URL = `http://127.0.0.1:${process.env['PORT'] ?? 8000}`;

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  // The service replaces this in every response; see server/src/http/dashboard-files.ts.
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    target: 'es2022',
    manifest: true,
    // No inlined assets: the Content-Security-Policy restricts data: URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: {
    host: '127.0.0.1',
    proxy: { '/v1': SERVICE_URL, '/health': SERVICE_URL, '/docs': SERVICE_URL, '/openapi.json': SERVICE_URL },
  },
});
