import react from '@vitejs/plugin-react'
import { defineConfig, type UserConfig } from 'vite'
import { brotliBesides } from './scripts/web-build/brotli.ts'
import { plannedChunks } from './scripts/web-build/chunks.ts'
import { earlyFiles, iconInPage } from './scripts/web-build/early.ts'
import {
  endpointsWithoutSchemas,
  fieldsWithoutSchemas,
  formsWithSchemas,
} from './scripts/web-build/endpoints.ts'
import { showcase } from './scripts/web-build/showcase.ts'
import { zodWithoutUnusedParts } from './scripts/web-build/zod.ts'

const modulePlugins = () => [
  react({ compiler: true }),
  fieldsWithoutSchemas(),
  endpointsWithoutSchemas(),
  formsWithSchemas(),
  zodWithoutUnusedParts(),
]

export default defineConfig((): UserConfig => {
  const early = earlyFiles()
  const chunks = plannedChunks(modulePlugins)
  return {
    plugins: [modulePlugins(), iconInPage(), early.plugin, chunks.plugin, brotliBesides(), showcase()],
    build: {
      outDir: 'dist/web',
      emptyOutDir: true,
      // Read by scripts/page-sizes.ts.
      manifest: 'modules.json',
      target: 'es2023',
      modulePreload: {
        polyfill: false,
        // The browser already fetches early files with the HTML.
        resolveDependencies: (_, files, { hostType }) =>
          hostType === 'html' ? files : files.filter((file) => !early.isEarly(file)),
      },
      assetsInlineLimit: 0,
      rolldownOptions: {
        output: {
          codeSplitting: {
            includeDependenciesRecursively: false,
            groups: [{ debugName: 'planned', name: chunks.nameOf }],
          },
        },
      },
    },
    server: { proxy: { '/api': `http://127.0.0.1:${process.env.API_PORT ?? 3000}` } },
  }
})
