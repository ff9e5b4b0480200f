import { build, loadConfigFromFile, mergeConfig } from 'vite'
const { config } = await loadConfigFromFile({ command: 'build', mode: 'production' }, 'vite.config.ts')
await build(
  mergeConfig(config, {
    logLevel: 'silent',
    configFile: false,
    build: { outDir: '/tmp/an-out', write: false, minify: false },
    plugins: [
      {
        name: 'an',
        generateBundle(_, bundle) {
          for (const c of Object.values(bundle))
            if (c.type === 'chunk' && process.argv.slice(2).includes(c.name)) {
              console.log('##', c.name)
              const m = Object.entries(c.modules).map(([id, x]) => [
                id.replace(/.*node_modules\//, 'nm/').replace(/.*\/src\//, 'src/'),
                x.renderedLength,
              ])
              const g = new Map()
              for (const [id, n] of m) {
                const k = id
                g.set(k, (g.get(k) ?? 0) + n)
              }
              for (const [k, n] of [...g].sort((a, b) => b[1] - a[1]).slice(0, 400)) console.log(n, k)
            }
        },
      },
    ],
  }),
)
