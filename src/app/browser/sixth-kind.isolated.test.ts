import { expect, test, vi } from 'vitest'
import { menu } from '#app/browser/menu.ts'
import { callsOf } from '#features/cms/articles/kinds/contract.ts'
import type { ArticleKindName } from '#shared/article-kinds.ts'
import { recordTypes } from '#shared/records.ts'
import { kindPages } from '#features/cms/articles/kinds/web/routes.tsx'

vi.mock('#shared/article-kinds.ts', async (original) => {
  const real = await original<typeof import('#shared/article-kinds.ts')>()
  const rows: Record<string, unknown> = {
    ...real.articleKinds,
    recipe: { one: 'recipe', many: 'recipes', key: 'event', failedList: 'empty' },
  }
  return {
    articleKindNames: Object.keys(rows),
    articleKindRow: (name: string) => rows[name],
    hasPart: () => false,
  }
})

test('one more row in the table of kinds is a record type, six calls with their permissions, four pages, and a menu entry', () => {
  expect(Object.keys(recordTypes)).toContain('recipe')
  const calls = Object.values(callsOf('recipe' as ArticleKindName))
  expect(calls.map(({ path, access }) => [path.startsWith('/admin/recipe'), access])).toEqual(
    Array.from({ length: 6 }, () => [true, 'event']),
  )
  expect(kindPages.map(({ path }) => path).filter((path) => path.startsWith('/recipe'))).toEqual([
    '/recipe',
    '/recipe/create',
    '/recipe/edit/$slug',
    '/recipe/$slug',
  ])
  expect(JSON.stringify(menu)).toContain('"to":"/recipe"')
})
