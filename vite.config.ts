import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The web console. The API serves the result at `/`. */
export default defineConfig({
  root: 'web',
  plugins: [react()],
  build: {
    outDir: '../dist/ui',
    emptyOutDir: true,
    // The policy of the console allows no data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: {
    proxy: { '^/(v1|admin|login|logout|docs)': 'http://127.0.0.1:3000' },
  },
});
