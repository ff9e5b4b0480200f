import { leads, type Lead } from '#features/crm/leads/contract.ts'
import { useLeadOptions } from '#features/crm/leads/record/web/LeadOptions.tsx'
import { defaultCurrency } from '#shared/currencies.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { toast } from '#web/message/toast.ts'
import type { EditInPlace } from '#web/record/InPlace.tsx'
import { useUndo } from '#web/record/useUndo.ts'

type EditableField =
  | 'contactName'
  | 'contact_role'
  | 'email'
  | 'phone'
  | 'country'
  | 'company_url'
  | 'timezone'
  | 'services'
  | 'hear_about'
  | 'implement_date'
  | 'lead_date'
  | 'request_date'
  | 'additional_info'
  | 'amount'
  | 'currency'
  | 'recurring'
  | 'expected_close'

/** The fields that an edit reads, besides the edited one. */
type EditedLead<Name extends EditableField> = Pick<
  Lead,
  'lead_id' | 'lead_for' | 'version' | 'currency' | Name
>

/** Returns the function that makes a field of a lead editable in place, for viewers who can edit the lead. */
export function useEditLead<Name extends EditableField>(lead: EditedLead<Name>) {
  const { last_currency } = useLeadOptions()
  const { keep } = useUndo()
  const mayEdit = useMay(leads.update, { body: { lead_id: lead.lead_id, lead_for: lead.lead_for } })
  const { send } = useSend(leads.update, {
    failure: 'throw',
    onDone: ({ message, operation }) => {
      keep(operation)
      toast.success(message)
    },
  })
  return (
    name: Name,
    kind: EditInPlace['kind'] = 'text',
    options?: EditInPlace['options'],
  ): EditInPlace | undefined => {
    const value = String(lead[name] ?? '')
    if (!mayEdit) return undefined
    const save = (typed: string, version = lead.version) =>
      send({
        body: {
          lead_id: lead.lead_id,
          version,
          base: { [name]: lead[name] },
          [name]: typed === '' && kind !== 'text' ? null : typed,
          // The first amount gets the currency that was used last.
          ...(name === 'amount' && typed !== '' && lead.currency === null
            ? { currency: last_currency ?? defaultCurrency }
            : {}),
        },
      })
    return { kind, value, save, ...(options ? { options } : {}) }
  }
}
