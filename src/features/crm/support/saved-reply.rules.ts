import { isAdminRole } from '#shared/access.ts'
import type { Viewer } from '#shared/endpoint.ts'
import { variablesIn } from '#shared/template-variables.ts'

/** The variables of a saved reply, which get the values of the ticket that it is inserted into. */
export const replyVariables = {
  first_name: 'The requester’s first name',
  full_name: 'The requester’s name',
  organization: 'The requester’s organization',
  ticket_number: 'The number of the ticket, such as #12',
  ticket_title: 'The title of the ticket',
  my_name: 'Your name',
  signature: 'Your signature',
} as const

const isVariable = (name: string) => Object.hasOwn(replyVariables, name)
const written = (names: readonly string[]) => names.map((name) => `{{${name}}}`).join(', ')

/** Returns what is wrong with the variables of a text, such as that of saved replies. */
export function variableError(content: string, of: string): string | undefined {
  const unknown = variablesIn(content).filter((name) => !isVariable(name))
  if (unknown.length === 0) return undefined
  return `${written(unknown)} ${unknown.length === 1 ? 'isn’t a variable' : 'aren’t variables'} of ${of}.`
}

/** Returns why a reply can't be sent: it still has variables that got no value. */
export function unfilledError(message: string): string | undefined {
  const unfilled = variablesIn(message).filter(isVariable)
  return unfilled.length === 0 ? undefined : `Replace ${written(unfilled)} before you send the reply.`
}

/** Returns whether the viewer can share saved replies, and change shared ones. */
export const sharesReplies = ({ role_id }: Pick<Viewer, 'role_id'>): boolean => isAdminRole(role_id)
export const onlyAdminsShare = 'Only admins can create and change replies that everyone can use.'
