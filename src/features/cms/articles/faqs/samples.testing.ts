import { sql } from 'kysely'
import { textFields, type RecordSamples, type Samples } from '#app/testing/samples.testing.ts'
import { makeFaq } from '#features/cms/articles/articles.testing.ts'

/** A field that doesn't accept free text: a URL. */
export const notFree = /^video$/

export const samples: Samples = {
  'POST /admin/faqs': async ({ started }) => ({
    input: { title: 'How hot?', body: '<p>Text</p>', category_id: (await makeFaq(started)).category_id },
  }),
  'PUT /admin/faqs/{slug}': async ({ started }) => ({
    input: { body: '<p>Text</p>' },
    params: { slug: String((await makeFaq(started)).id) },
  }),
  'POST /admin/faqcategories': async ({ started }) => ({
    input: { title: 'News', parent_id: (await makeFaq(started)).category_id },
  }),
  'PUT /admin/faqcategories/{id}': async ({ started }) => ({
    input: {},
    params: { id: String((await makeFaq(started)).category_id) },
  }),
}

export const records: RecordSamples = {
  faq_category: {
    ...textFields('title', 'description'),
    insert: (id) => sql`insert into article_categories (id, kind, title, slug) overriding system value
      values (${id}, 'faq', 'Linen', 'linen-faq')`,
  },
  faq: {
    ...textFields('title', 'body'),
    insert: (id, by) => sql`with category as (
      insert into article_categories (kind, title, slug) values ('faq', 'Linen', 'linen-of-faq') returning id)
      insert into faqs (id, title, slug, category_id, author_id) overriding system value
      select ${id}, 'Linen', 'linen', id, ${by} from category`,
  },
}
