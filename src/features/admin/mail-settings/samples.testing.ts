import type { Samples } from '#app/testing/samples.testing.ts'

const template = {
  kind: 'prospection',
  product_id: null,
  version: 0,
  subject: 'News',
  content: '<p>Hello</p>',
}

export const samples: Samples = {
  'POST /admin/mail-template': () => ({
    input: { ...template, kind: 'composer', name: `Template ${Math.random()}` },
  }),
  'POST /admin/mail-template/test': () => ({ input: template }),
  'POST /admin/mail-settings/senders': async ({ started: { db } }) => {
    await db.deleteFrom('senders').execute()
    return {
      input: {
        product_id: 1,
        name: 'Linen',
        address: '',
        color: '#0f766e',
        signature: '',
        footer: '',
        version: 0,
      },
    }
  },
  'POST /admin/mail-settings/rules': () => ({ input: { own_domains: ['linen.example'] } }),
  'POST /admin/own-address': () => ({ input: { address: 'zoe@linen.example' } }),
}

/** Addresses, domains, and colors. */
export const notFree = /^(address|color|own_domains\.0)$/
