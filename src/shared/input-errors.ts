import { z } from 'zod'

/*
 * Messages shown when a schema does not define its own error. Zod's default messages expose types and codes.
 */

const wantedTypes: Readonly<Record<string, string>> = {
  number: 'Enter a number.',
  int: 'Enter a whole number.',
  string: 'Enter text.',
  boolean: 'Choose yes or no.',
  array: 'Send a list.',
  object: 'Send an object.',
  record: 'Send an object.',
}

/** Maximum number of options listed in a message; a longer list would obscure the message. */
const maxListedOptions = 12

function textOf(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined || issue.input === null) return 'This field is required.'
      return wantedTypes[issue.expected] ?? 'This value isn’t valid.'
    case 'invalid_value':
      return issue.values.length <= maxListedOptions
        ? `Choose one of: ${issue.values.map(String).join(', ')}.`
        : 'Choose one of the options.'
    case 'too_big':
      return limitText(issue.origin, `${String(issue.maximum)} or less`, `${String(issue.maximum)} or fewer`)
    case 'too_small':
      if (issue.origin === 'string' && issue.minimum === 1) return 'This field is required.'
      return limitText(issue.origin, `${String(issue.minimum)} or more`, `${String(issue.minimum)} or more`)
    case 'unrecognized_keys':
      return `Remove unknown fields: ${issue.keys.join(', ')}.`
    case 'invalid_format':
      return 'This value isn’t in the right format.'
    case 'not_multiple_of':
    case 'invalid_union':
    case 'invalid_key':
    case 'invalid_element':
    case 'custom':
      return 'This value isn’t valid.'
  }
}

function limitText(origin: string, amount: string, count: string): string {
  if (origin === 'string') return `Use ${count} characters.`
  if (origin === 'array' || origin === 'set' || origin === 'map') return `Choose ${count}.`
  return `Enter ${amount}.`
}

z.config({ customError: textOf })
