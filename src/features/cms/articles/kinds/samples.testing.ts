import { textFields, type RecordSamples, type Samples } from '#app/testing/samples.testing.ts'
import { makeArticle } from '#features/cms/articles/articles.testing.ts'
import { articleKindNames } from '#shared/article-kinds.ts'

export const samples: Samples = Object.assign(
  {},
  ...articleKindNames.map((name): Samples => ({
    [`POST /admin/${name}/create`]: () => ({
      input: { title: 'Sheets', body: '<p>Text</p>' },
      query: '?product_id=1',
    }),
    [`PUT /admin/${name}/update/{slug}`]: async ({ started }) => ({
      input: { body: '<p>Text</p>' },
      params: { slug: String(await makeArticle(started, name)) },
    }),
  })),
)

export const notFree = /^(starts|ends|zone)$/

export const records: RecordSamples = Object.fromEntries(
  articleKindNames.map((name) => [name, textFields('title', 'short_description')]),
)
