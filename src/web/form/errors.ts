import type { z } from 'zod'

/** Returns the first error per field (`name`, `address.city`) that a schema finds in the values. */
export function errorsOf(schema: z.ZodType, values: unknown): Record<string, string> {
  const result = schema.safeParse(values)
  if (result.success) return {}
  const errors: Record<string, string> = {}
  for (const { path, message } of result.error.issues) errors[path.join('.')] ??= message
  return errors
}

/**
 * Splits errors by path (`name`, `emails.1`) into those that the form shows next to a field, either the one
 * at that path or its nearest ancestor, and the deduplicated messages of the rest.
 * @param hasField whether the page shows a field with that path
 */
export function placeErrors(
  errors: Readonly<Record<string, string>>,
  hasField: (path: string) => boolean,
): { fields: Record<string, string>; rest: string[] } {
  const fields: Record<string, string> = {}
  const rest = new Set<string>()
  for (const [path, text] of Object.entries(errors)) {
    const parts = path.split('.')
    const shown = parts.map((_, cut) => parts.slice(0, parts.length - cut).join('.')).find(hasField)
    if (shown === undefined) rest.add(text)
    else fields[shown] ??= text
  }
  return { fields, rest: [...rest] }
}

/** Returns the first message for each field in the server's response (a 422). */
export const firstTexts = (errors: Readonly<Record<string, readonly string[]>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(errors).map(([path, texts]) => [path, texts[0] ?? 'This value isn’t valid.']),
  )
