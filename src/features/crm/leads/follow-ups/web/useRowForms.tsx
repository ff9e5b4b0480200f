import { Suspense, useState, type ReactNode } from 'react'
import { records } from '#shared/record.contract.ts'
import { recordMails } from '#shared/record-mail.contract.ts'
import type { LeadRow } from '#features/crm/leads/contract.ts'
import { leadCalls } from '#features/crm/leads/calls/contract.ts'
import { demos } from '#features/crm/leads/demos/contract.ts'
import { useMay } from '#web/api/useSend.ts'
import { lazyPart } from '#web/shell/lazy.tsx'

const forms = {
  note: lazyPart(() => import('#features/crm/leads/follow-ups/web/NoteOnLead.tsx')),
  email: lazyPart(() => import('#features/crm/leads/mails/web/LeadEmail.tsx')),
  call: lazyPart(() => import('#features/crm/leads/calls/web/LogCall.tsx')),
  session: lazyPart(() => import('#features/crm/leads/demos/web/NewSession.tsx')),
}
type Kind = keyof typeof forms

/**
 * Returns the functions that open a form for a lead of the queue, without those that the viewer isn't allowed to use,
 * and the open form.
 */
export function useRowForms(mayOpenLead: boolean): {
  write: Partial<Record<Kind, (lead: LeadRow) => void>>
  form: ReactNode
} {
  const [open, setOpen] = useState<{ kind: Kind; lead: LeadRow }>()
  const of = { type: 'lead', id: 1 } as const
  const may: Record<Kind, boolean> = {
    note: useMay(records.addNote, { params: { a: of.type, b: of.id }, body: { note: '' } }),
    email: useMay(recordMails.send, { params: of, body: { to: [], subject: '', content: '' } }),
    call: useMay(leadCalls.log, { body: { lead_id: of.id, outcome: 1 } }),
    session: useMay(demos.save),
  }
  const allowed = (Object.keys(forms) as Kind[]).filter((kind) => may[kind] && mayOpenLead)
  const Form = open && forms[open.kind]
  return {
    write: Object.fromEntries(allowed.map((kind) => [kind, (lead: LeadRow) => setOpen({ kind, lead })])),
    form: Form && (
      <Suspense>
        <Form key={open.lead.lead_id} lead={open.lead} onClose={() => setOpen(undefined)} />
      </Suspense>
    ),
  }
}
