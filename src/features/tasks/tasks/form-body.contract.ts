import { z } from 'zod'

/** Unpacks a body that may also be sent as JSON in a `formData` field (B §7). */
function inFormData(sent: unknown): unknown {
  if (typeof sent !== 'object' || sent === null || !('formData' in sent)) return sent
  const { formData } = sent
  if (typeof formData !== 'string') return formData
  try {
    return JSON.parse(formData) as unknown
  } catch {
    return undefined
  }
}
/** Returns a body's schema that accepts the body in a `formData` field as well. */
export const formBody = <S extends z.ZodObject>(schema: S) => z.preprocess(inFormData, schema)
