import type { Samples } from '#app/testing/samples.testing.ts'

/** Fields that don't contain free text: websites, an entry of a list, and a label that is too short for it. */
export const notFree = /(^|\.)(origins\.0|source|button)$/

/** The texts of a form, which its preview takes. */
export const formTexts = {
  title: 'Talk to us',
  intro: '',
  button: 'Send',
  consent: '',
  fields: [{ field: 'email', label: 'Email', required: true }],
}
/** The settings of a form. */
export const formSettings = {
  ...formTexts,
  is_on: false,
  slug: '',
  thanks: 'Thank you.',
  origins: [],
  staff_ids: [],
  source: null,
}
const params = { product_id: '1' }

export const samples: Samples = {
  'POST /admin/settings/web-forms/{product_id}': async ({ started: { db } }) => ({
    input: {
      ...formSettings,
      version:
        (await db.selectFrom('web_forms').select('version').where('product_id', '=', 1).executeTakeFirst())
          ?.version ?? 0,
    },
    params,
  }),
  'POST /admin/settings/web-forms/{product_id}/preview': () => ({
    input: { ...formTexts, is_embedded: false },
    params,
  }),
}
