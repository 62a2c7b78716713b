import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { writeInterSubset } from './inter-subset.ts';

/** The service that `npm run dev` proxies to. The service itself serves the build. */
const SERVICE_URL = `http://127.0.0.1:${process.env['PORT'] ?? 8000}`;

const compress = promisify(brotliCompress);

/** The palettes of Mantine that no component uses. */
const UNUSED_PALETTE = /^--mantine-color-(blue|cyan|grape|green|indigo|lime|orange|pink|teal|violet|yellow)-/;

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), compressFiles()],
  resolve: { alias: { 'inter-subset.woff2': await writeInterSubset() } },
  // The service replaces this in every response; see server/src/http/dashboard-files.ts.
  html: { cspNonce: '__CSP_NONCE__' },
  css: {
    postcss: {
      plugins: [
        {
          postcssPlugin: 'drop-unused-palettes',
          Declaration: (declaration) => {
            if (UNUSED_PALETTE.test(declaration.prop)) declaration.remove();
          },
        },
      ],
    },
  },
  build: {
    target: 'es2022',
    manifest: true,
    // No inlined assets: the Content-Security-Policy restricts data: URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // One style sheet and few scripts: dozens of small files take longer to load than a few larger ones.
    cssCodeSplit: false,
    rolldownOptions: {
      // The compression takes most of the time, as expected.
      checks: { bundlerTimings: false },
      output: {
        codeSplitting: {
          groups: [
            { name: 'start', tags: ['$initial'], priority: 1 },
            // What several of the other pages use, such as forms.
            { name: 'shared', minShareCount: 2 },
          ],
        },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    proxy: { '/v1': SERVICE_URL, '/health': SERVICE_URL, '/docs': SERVICE_URL, '/openapi.json': SERVICE_URL },
  },
});

/** Writes each script and style sheet a second time, with the best compression, which is too slow for the service. */
function compressFiles(): Plugin {
  const options = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };
  return {
    name: 'compress-files',
    apply: 'build',
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const files = Object.values(bundle).filter(({ fileName }) => /\.(js|css)$/.test(fileName));
        await Promise.all(
          files.map(async (file) => {
            const source = await compress(file.type === 'chunk' ? file.code : file.source, options);
            this.emitFile({ type: 'asset', fileName: `${file.fileName}.br`, source });
          }),
        );
      },
    },
  };
}
