import { readFileSync } from 'node:fs'
import { createContext, runInContext } from 'node:vm'
import { expect, test } from 'vitest'
import { z } from 'zod'

test('in the browser, Zod is configured without eval before it loads', () => {
  const window: Record<string, unknown> = {}
  const nothing = () => ({ matches: false })
  runInContext(
    readFileSync('public/early.js', 'utf8'),
    createContext({
      window,
      localStorage: {},
      matchMedia: nothing,
      document: { documentElement: { setAttribute: nothing } },
    }),
  )
  expect(window['__zod_globalConfig']).toEqual({ jitless: true })
  // This is where zod looks for its configuration.
  expect((globalThis as Record<string, unknown>)['__zod_globalConfig']).toBe(z.config())
})

test('the default title is Admin-Panel', () => {
  expect(readFileSync('index.html', 'utf8')).toContain('<title>Admin-Panel</title>')
})
