import type { Samples } from '#app/testing/samples.testing.ts'

export const samples: Samples = {
  'PUT /admin/dashboard/cards': () => ({ input: { hidden: ['won'], order: ['new-leads'] } }),
}
