import { z } from 'zod'

/** A product, as responses name it. */
export const ProductShape = z.object({
  id: z.number().int(),
  slug: z.string(),
  name: z.string(),
  status: z.number().int(),
})
