import type { Samples } from '#app/testing/samples.testing.ts'

/** Fields that don't contain free text: days, lists of days, and time zones. */
export const notFree = /^(day|days\.0|zone)$/

export const samples: Samples = {
  'POST /common/task/progress-away': () => ({ input: { staff_id: 1, day: '2026-03-16' } }),
  'POST /common/task/progress-remind': () => ({ input: { staff_id: 1, days: ['2026-03-16'] } }),
}
