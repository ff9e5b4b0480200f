import { sql } from 'kysely'
import { textFields, type RecordSamples, type Samples } from '#app/testing/samples.testing.ts'
import { makeMedium, makePost, makeTag } from '#features/cms/articles/articles.testing.ts'

export const samples: Samples = {
  'POST /admin/posts': async ({ started }) => ({
    input: {
      title: 'Sheets',
      body: '<p>Text</p>',
      tags: ['Care'],
      category: (await makePost(started)).category,
    },
  }),
  'PUT /admin/posts/{slug}': async ({ started }) => ({
    input: { body: '<p>Text</p>', tags: ['Care'] },
    params: { slug: String((await makePost(started)).id) },
  }),
  'POST /admin/posts/{slug}/assign-tags': async ({ started }) => ({
    input: { tags: ['Care'] },
    params: { slug: String((await makePost(started)).id) },
  }),
  'POST /admin/categories': async ({ started }) => ({
    input: { title: 'News', parent_id: (await makePost(started)).category },
  }),
  'PUT /admin/categories/{id}': async ({ started }) => ({
    input: {},
    params: { id: String((await makePost(started)).category) },
  }),
  'PUT /admin/tags/{slug}': async ({ started }) => ({
    input: { name: 'Care' },
    params: { slug: String(await makeTag(started)) },
  }),
  'POST /admin/media/{id}/alt': async ({ started }) => ({
    input: { alt: 'A sheet' },
    params: { id: String(await makeMedium(started)) },
  }),
  'PUT /admin/metatag/{id}': () => ({ input: {} }),
}

export const records: RecordSamples = {
  post: textFields('title', 'short_description'),
  category: textFields('title', 'description'),
  tag: {
    ...textFields('name', 'slug'),
    insert: (id) =>
      sql`insert into post_tags (id, name, slug) overriding system value values (${id}, 'Linen', 'linen')`,
  },
  comment: { fields: [['state', 1, 2]] },
}
