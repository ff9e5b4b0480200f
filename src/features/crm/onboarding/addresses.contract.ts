import { z } from 'zod'
import { isAddress } from '#shared/recipients.ts'
import { mostRecipients } from '#features/crm/onboarding/rules.ts'

/** Email addresses in a list or in one text, separated by commas, semicolons, or spaces. */
export const addresses = z.preprocess(
  (value) =>
    (Array.isArray(value) ? value : [value]).flatMap((one) =>
      typeof one === 'string'
        ? one
            .split(/[,;\s]+/)
            .map((part) => part.trim())
            .filter(Boolean)
        : [one],
    ),
  z
    .array(z.string('This must be text.').refine(isAddress, 'Enter a valid email address.'))
    .max(mostRecipients, `Enter up to ${mostRecipients} email addresses.`),
)
