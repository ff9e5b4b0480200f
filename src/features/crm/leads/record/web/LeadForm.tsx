import { useRef, useState, type ReactNode } from 'react'
import { useQuery } from '@tanstack/react-query'
import { dayText } from '#shared/dates.ts'
import { leads, messages, type Lead } from '#features/crm/leads/contract.ts'
import type { CustomField } from '#features/crm/leads/custom-fields.rules.ts'
import { leadInputs } from '#features/crm/leads/input.contract.ts'
import { leadFields } from '#features/crm/leads/fields.ts'
import { DuplicateWarning } from '#features/crm/leads/record/web/DuplicateWarning.tsx'
import {
  declareCustomFields,
  fieldsOfProduct,
  foldCustomValues,
} from '#features/crm/leads/record/web/customValues.ts'
import {
  LeadOptionsProvider,
  useLeadOptions,
  useOptionsSettled,
} from '#features/crm/leads/record/web/LeadOptions.tsx'
import { LeadInputs } from '#features/crm/leads/record/web/LeadInputs.tsx'
import { AskToWin, useHeldWin, type HeldWin } from '#features/crm/leads/record/web/heldWin.tsx'
import { useLeadWords } from '#features/crm/leads/record/web/useLeadWords.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'
import { FormModal } from '#web/form/FormModal.tsx'
import { useRecordForm } from '#web/form/useRecordForm.tsx'
import { useWhyNotSave } from '#web/form/useWhyNotSave.ts'
import { ErrorState, LoadingState } from '#web/list/states.tsx'
import { useViewer } from '#web/session.ts'
import { RightModal } from '#web/parts/RightModal.tsx'
import { askToProceed, showMessage } from '#web/message/messages.ts'
import { useScope } from '#web/shell/useScope.ts'
import { browserTimeZone, today } from '#web/time.ts'

/** Form in the right-side modal for creating a lead, or for editing the one with this ID. */
export default function LeadForm({ id, onClose }: { id?: number; onClose: () => void }) {
  const [won, setWon] = useState<HeldWin>()
  const close = (held?: HeldWin) => (held ? setWon(held) : onClose())
  return (
    <LeadOptionsProvider>
      {won ? (
        <AskToWin {...won} onClose={onClose} />
      ) : (
        <WithOptions title={id === undefined ? 'New lead' : 'Edit lead'} onClose={onClose}>
          {id === undefined ? <NewLeadForm onClose={close} /> : <StoredLead id={id} onClose={close} />}
        </WithOptions>
      )}
    </LeadOptionsProvider>
  )
}

/** Closes a form; a won status that it didn’t save is asked about first. */
type Close = (held?: HeldWin) => void

interface WithOptionsProps {
  title: string
  onClose: () => void
  children: ReactNode
}

/** Shows the form once its custom fields are known. */
function WithOptions({ title, onClose, children }: WithOptionsProps) {
  if (useOptionsSettled()) return children
  return (
    <RightModal title={title} onClose={onClose} size={560}>
      <LoadingState />
    </RightModal>
  )
}

/**
 * Returns the fields of the form, with the custom ones as they were when it was opened: those of all products, because
 * the product can be changed.
 */
function useFormFields(lead?: Lead) {
  const { custom_fields } = useLeadOptions()
  const [custom] = useState(() => custom_fields.filter((one) => !one.is_deleted))
  const { declared, inputs } = declareCustomFields(custom, lead)
  // They are declared besides the fields of all leads, whose names and types the form knows.
  const fields: typeof leadFields = { ...declared, ...leadFields }
  return { custom, fields, schema: leadInputs.extend(inputs) }
}

/** Without a date, a lead has the date of its creation. */
const asSent = <Sent extends { lead_date: string }>({ lead_date, ...sent }: Sent) => ({
  ...sent,
  ...(lead_date === '' ? {} : { lead_date }),
})

/** Leaves out values of another product’s fields, which were entered before the product was changed. */
const keepOwn = <Body extends { custom_values?: object }>(
  { custom_values, ...body }: Body,
  own: readonly CustomField[],
) => {
  const kept = Object.entries(custom_values ?? {}).filter(([id]) => own.some((one) => String(one.id) === id))
  return kept.length > 0 ? { ...body, custom_values: Object.fromEntries(kept) } : body
}

/** Returns the ID of the viewer, if leads can be assigned to them: a new lead is its creator’s. */
function useOwner(): string {
  const me = useViewer()?.id
  return useLeadOptions().staff.some(({ id }) => id === me) ? String(me) : ''
}

function NewLeadForm({ onClose }: { onClose: Close }) {
  const product = useScope()
  const win = useHeldWin(false)
  const created = useRef<Lead>(undefined)
  const zoneRef = useRef(browserTimeZone())
  const { send } = useSend(leads.create, { failure: 'throw' })
  const whyNotSave = useWhyNotSave(leads.create, { body: { companyName: '', lead_for: 1 } })
  const { custom, ...declared } = useFormFields()
  const owner = useOwner()
  const form = useRecordForm({
    name: 'lead-new',
    ...declared,
    initial: {
      lead_for: String(product ?? ''),
      lead_date: today(),
      timezone: browserTimeZone(),
      assign_to: owner,
    },
    adapt: asSent,
    create: async (body) => {
      const own = fieldsOfProduct(custom, body.lead_for)
      const { timezone, ...rest } = foldCustomValues(body, custom)
      // The server finds the zone that the form proposed, also if the phone number was typed just now.
      const sent = timezone === zoneRef.current ? rest : { ...rest, timezone }
      const reply = await send({ body: win.hold(keepOwn(sent, own)) })
      created.current = reply?.data
      return (
        reply && {
          message: `${reply.data.companyName} created${win.except()}.`,
          operation: reply.operation,
        }
      )
    },
    onSaved: () => onClose(win.of(created.current)),
  })
  return (
    <FormModal
      title="New lead"
      form={form}
      onClose={() => onClose()}
      whyNotSave={whyNotSave}
      saveLabel="Create lead"
      side="right"
      size={560}
    >
      <LeadInputs
        form={form}
        custom={custom}
        zoneRef={zoneRef}
        warning={
          <DuplicateWarning
            leadFor={form.fields.values.lead_for}
            companyName={form.fields.values.companyName}
            email={form.fields.values.email}
            phone={form.fields.values.phone}
          />
        }
      />
    </FormModal>
  )
}

function StoredLead({ id, onClose }: { id: number; onClose: Close }) {
  const query = useQuery({
    ...queryOptionsFor(leads.show, { query: { id } }),
    staleTime: 0,
    refetchOnWindowFocus: false,
  })
  // The lead as first loaded; changes that others save in the meantime must not replace the form's contents.
  const [lead, setLead] = useState<Lead>()
  if (!lead && query.data && !query.isFetching) setLead(query.data.data)
  if (lead) return <EditLeadForm lead={lead} onClose={onClose} />
  return (
    <RightModal title="Edit lead" onClose={() => onClose()} size={560}>
      {query.error ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <LoadingState />
      )}
    </RightModal>
  )
}

function EditLeadForm({ lead, onClose }: { lead: Lead; onClose: Close }) {
  const win = useHeldWin(lead.organization_id !== null)
  const words = useLeadWords()
  const { send } = useSend(leads.update, { failure: 'throw' })
  const whyNotSave = useWhyNotSave(leads.update, { body: { lead_id: lead.lead_id } })
  const { custom, ...declared } = useFormFields(lead)
  const form = useRecordForm({
    name: `lead-${lead.lead_id}`,
    ...declared,
    record: lead,
    title: lead.companyName,
    words,
    adapt: asSent,
    savedMessage: ({ companyName }) => (win.isAlone() ? undefined : `${companyName} saved${win.except()}.`),
    confirmSave: async ({ companyName, followup_date: day }) => {
      win.reset()
      return (
        day === (lead.followup_date ?? '') ||
        askToProceed(messages.followupQuestion, {
          about: `${companyName}: ${day ? dayText(day) : 'no follow-up date'}`,
        })
      )
    },
    update: async (body) => {
      const own = fieldsOfProduct(custom, body.lead_for ?? lead.lead_for)
      const sent = win.hold(keepOwn(foldCustomValues(body, custom), own))
      if (win.isAlone()) return undefined
      const reply = await send({ body: { ...sent, lead_id: lead.lead_id } })
      if (reply && 'followup_date' in body) void showMessage(messages.dateChanged)
      return reply
    },
    onSaved: () => onClose(win.of(lead)),
  })
  return (
    <FormModal
      title={`Edit ${lead.companyName}`}
      form={form}
      onClose={() => onClose()}
      whyNotSave={whyNotSave}
      side="right"
      size={560}
    >
      <LeadInputs
        form={form}
        custom={custom}
        warning={
          <DuplicateWarning
            leadFor={form.fields.values.lead_for}
            companyName={form.fields.values.companyName}
            email={form.fields.values.email}
            phone={form.fields.values.phone}
            except={lead.lead_id}
          />
        }
      />
    </FormModal>
  )
}
