import type { z } from 'zod'

/** Returns the first error per field (`name`, `address.city`) that a schema finds in the values. */
export function errorsOf(schema: z.ZodType, values: unknown): Record<string, string> {
  const result = schema.safeParse(values)
  if (result.success) return {}
  const errors: Record<string, string> = {}
  for (const { path, message } of result.error.issues) errors[path.join('.')] ??= message
  return errors
}

/** Splits the server's messages (a 422) into those of fields that the form shows, and the rest. */
export function splitFieldErrors(
  errors: Record<string, string[]>,
  isField: (name: string) => boolean,
): { fields: Record<string, string>; rest: string[] } {
  const fields: Record<string, string> = {}
  const rest: string[] = []
  for (const [name, texts] of Object.entries(errors)) {
    if (isField(name)) fields[name] = texts[0] ?? 'This value isn’t valid.'
    else rest.push(...texts.map((text) => `${name}: ${text}`))
  }
  return { fields, rest }
}
