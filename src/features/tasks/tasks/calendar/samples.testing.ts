import type { Samples } from '#app/testing/samples.testing.ts'

export const samples: Samples = {
  'POST /admin/holidays': () => ({ input: { day: '2026-12-25', name: 'Christmas' } }),
}
