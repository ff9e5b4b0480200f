import { defineConfig } from 'vitest/config'

const isolated = ['src/**/*.isolated.test.ts']
const dom = ['src/**/*.dom.test.tsx']

export default defineConfig({
  test: {
    environment: 'node',
    globalSetup: 'scripts/vitest-setup.ts',
    pool: 'forks',
    maxWorkers: 2,
    // Each test starts an app. With the default size, a fifth of its time is garbage collection.
    execArgv: ['--max-semi-space-size=64'],
    // These only end what hangs; no test measures time, because other work may keep the machine busy.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
    projects: [
      {
        // The files share a worker, and so the modules that it has loaded and compiled: a third less work.
        extends: true,
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude: isolated,
          isolate: false,
        },
      },
      {
        // Hooks and pages, rendered in a simulated browser.
        extends: true,
        test: {
          name: 'hooks',
          include: dom,
          environment: 'happy-dom',
          setupFiles: 'src/web/dom-setup.testing.ts',
          isolate: false,
          testTimeout: 120_000,
          // As journeys do, and named in the report. Never for the others: some try random input, and a second
          // attempt would try other input.
          retry: 1,
        },
      },
      {
        // Files that replace modules or count what a module remembers; no other file may share theirs.
        extends: true,
        test: { name: 'isolated', include: isolated },
      },
    ],
  },
})
