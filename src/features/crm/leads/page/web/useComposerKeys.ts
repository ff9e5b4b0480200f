import { recordNotes } from '#shared/notes.contract.ts'
import { recordMails } from '#shared/record-mail.contract.ts'
import { leadCalls } from '#features/crm/leads/calls/contract.ts'
import { demos } from '#features/crm/leads/demos/contract.ts'
import { leadKeys } from '#features/crm/leads/record/web/leadKeys.ts'
import { useMay } from '#web/api/useSend.ts'

const { note, email, call, session } = leadKeys

/** Returns the tabs that the viewer's composer has for a lead, by their keys. */
export function useComposerKeys(id: number): Record<string, string> {
  const params = { type: 'lead', id } as const
  const mayNote = useMay(recordNotes.add, { params: { a: 'lead', b: id }, body: { note: '' } })
  const mayMail = useMay(recordMails.send, { params, body: { to: [], subject: '', content: '' } })
  const mayCall = useMay(leadCalls.log, { body: { lead_id: id, outcome: 1 } })
  const maySession = useMay(demos.save)
  return {
    ...(mayNote && { [note]: 'note' }),
    ...(mayMail && { [email]: 'email' }),
    ...(mayCall && { [call]: 'call' }),
    ...(maySession && { [session]: 'session' }),
  }
}
