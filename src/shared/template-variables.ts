import { kindOfTemplate, type TemplateName } from '#shared/mail-templates.ts'

/* The variables in the text of a template, and what can be wrong with them. */

const place = /\{\{\s*([^{}]*?)\s*\}\}/g

/** Returns the names of the variables in a text, each once. */
export const variablesIn = (text: string): string[] => [
  ...new Set([...text.matchAll(place)].map(([, name]) => name!)),
]

/** Returns what is wrong with a template, per field. */
export function templateErrors(
  name: TemplateName,
  { subject, content }: { subject: string; content: string },
): { subject?: string; content?: string } {
  const { variables, needs } = kindOfTemplate(name)
  const known = (one: string) => Object.hasOwn(variables, one)
  const unknown = (text: string) => {
    const wrong = variablesIn(text).filter((one) => !known(one))
    return wrong.length === 0
      ? undefined
      : `${listOf(wrong)} ${wrong.length === 1 ? 'isn’t a variable' : 'aren’t variables'} of this email.`
  }
  const blocks = Object.keys(variables).filter((one) => variables[one]!.block)
  const inSubject = variablesIn(subject).filter((one) => blocks.includes(one))
  const alone = new Set([...content.matchAll(/<p>\{\{(\w+)\}\}<\/p>/g)].map(([, one]) => one!))
  const crowded = variablesIn(content).filter(
    (one) => blocks.includes(one) && (!alone.has(one) || content.split(`{{${one}}}`).length !== 2),
  )
  const missing = needs.filter((one) => !variablesIn(content).includes(one))
  const subjectError =
    unknown(subject) ?? (inSubject.length ? `${listOf(inSubject)} can’t be in the subject.` : undefined)
  const contentError =
    unknown(content) ??
    (crowded.length ? `Put ${listOf(crowded)} alone in a paragraph, once.` : undefined) ??
    (missing.length ? `This email needs ${listOf(missing)}.` : undefined)
  return {
    ...(subjectError === undefined ? {} : { subject: subjectError }),
    ...(contentError === undefined ? {} : { content: contentError }),
  }
}

const listOf = (names: readonly string[]) => names.map((one) => `{{${one}}}`).join(', ')
