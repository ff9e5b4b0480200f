/** Ended and Canceled, which the migration defines. */
export const finishedStatuses: readonly number[] = [3, 4]
