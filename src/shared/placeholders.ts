import { z } from 'zod'
import { truncate } from '#shared/truncate.ts'

/*
 * Placeholders in the texts of emails: `{{name}}` is the recipient's name. Spaces, case, and formatting don't
 * matter, so `{{ Name }}` is the same.
 */

const placeholder = /\{\{((?:(?!\{\{|\}\})[^\n])*)\}\}/g
/** What doesn't count inside the braces: spaces and, in HTML, tags such as those of bold text. */
const ignored = /\s+|&nbsp;|<[^<>]*>/g
const isName = (inside: string) => inside.replaceAll(ignored, '').toLowerCase() === 'name'

/** Returns a text with the recipient's name in place of `{{name}}`. */
export const fillPlaceholders = (text: string, name: string): string =>
  text.replaceAll(placeholder, (written, inside: string) => (isName(inside) ? name : written))

/** Returns whether a text names its recipient. */
export const hasNamePlaceholder = (text: string): boolean =>
  [...text.matchAll(placeholder)].some(([, inside]) => isName(inside!))

/** Returns why a text can't be sent: a placeholder that doesn't exist; undefined if there is none. */
export function unknownPlaceholder(text: string): string | undefined {
  const unknown = [...text.matchAll(placeholder)].find(([, inside]) => !isName(inside!))
  return unknown && `“${truncate(unknown[0], 60)}” isn’t a placeholder. Use {{name}}, or remove the braces.`
}

/** Refuses a text with a placeholder that doesn't exist. */
export const knownPlaceholders = (schema: z.ZodString): z.ZodString =>
  schema.refine((text) => unknownPlaceholder(text) === undefined, {
    error: ({ input }) => unknownPlaceholder(input as string),
  })
