import type { Samples } from '#app/testing/samples.testing.ts'

export const samples: Samples = {
  'POST /admin/messages': () => ({ input: { message: 'Hello' } }),
}
