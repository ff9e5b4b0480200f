import { readdir } from 'node:fs/promises'
import type pg from 'pg'
import { expect, test, vi } from 'vitest'
import { compareMigrations } from '#server/db/migrate.ts'

vi.mock('node:fs/promises', async (importOriginal) => {
  const real = await importOriginal<typeof import('node:fs/promises')>()
  return { ...real, readdir: vi.fn(real.readdir) }
})

test('a comparison that failed to read the migrations is not repeated by the next ones', async () => {
  const pool = { query: async () => ({ rows: [] }) } as unknown as pg.Pool
  vi.mocked(readdir).mockRejectedValueOnce(new Error('EMFILE: too many open files'))
  await expect(compareMigrations(pool)).rejects.toThrow('EMFILE')
  expect(await compareMigrations(pool)).toBe('pending')
  // The migrations that were read are kept.
  expect(await compareMigrations(pool)).toBe('pending')
  expect(readdir).toHaveBeenCalledTimes(2)
})
