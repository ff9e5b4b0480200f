import type { Samples } from '#app/testing/samples.testing.ts'
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
