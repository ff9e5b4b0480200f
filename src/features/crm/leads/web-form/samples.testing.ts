import type { Samples } from '#app/testing/samples.testing.ts'

/** Fields that don't contain free text: websites, and an entry of a list. */
export const notFree = /(^|\.)(origins\.0|source)$/

const form = {
  title: 'Talk to us',
  intro: '',
  button: 'Send',
  consent: '',
  fields: [{ field: 'email', label: 'Email', required: true }],
}
const params = { product_id: '1' }

export const samples: Samples = {
  'POST /admin/settings/web-forms/{product_id}': () => ({
    input: {
      ...form,
      version: 0,
      is_on: false,
      slug: '',
      thanks: 'Thank you.',
      origins: [],
      staff_ids: [],
      source: null,
    },
    params,
  }),
  'POST /admin/settings/web-forms/{product_id}/preview': () => ({
    input: { ...form, is_embedded: false },
    params,
  }),
}
