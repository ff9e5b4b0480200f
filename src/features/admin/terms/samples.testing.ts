import type { Samples } from '#app/testing/samples.testing.ts'

export const samples: Samples = { 'POST /admin/termsandconditions/store': () => ({ input: { value: '<p>Terms</p>' } }) }
