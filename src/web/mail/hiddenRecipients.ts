import { countText } from '#web/time.ts'

/** Returns how many recipients of an email a viewer can't see, and why. */
export const hiddenRecipients = (count: number): string =>
  count === 1
    ? '1 recipient is a user of a customer you don’t have access to.'
    : `${countText(count)} recipients are users of customers you don’t have access to.`
