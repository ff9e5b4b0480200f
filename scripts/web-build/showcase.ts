import type { Plugin } from 'vite'

/** Serves the page with all shared parts at /dev/parts, only in development: the build doesn't have it. */
export const showcase = (): Plugin => ({
  name: 'showcase',
  apply: 'serve',
  configureServer: ({ middlewares }) => {
    middlewares.use((request, _, next) => {
      if (request.url?.split('?')[0] === '/dev/parts') request.url = '/e2e/showcase.html'
      next()
    })
  },
})
