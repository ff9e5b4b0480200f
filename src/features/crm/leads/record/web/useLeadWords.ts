import { leadFields } from '#features/crm/leads/fields.ts'
import { customWords } from '#features/crm/leads/record/web/customValues.ts'
import { useLeadOptions } from '#features/crm/leads/record/web/LeadOptions.tsx'
import { sessionWords } from '#web/appointments/sessionWords.ts'
import { byId, formatFieldValue, withWords, type RecordFields } from '#web/record/fieldWords.ts'

/** Parts of the history of a lead that are not its fields: its sessions, its calls, its emails, and its organization. */
const otherFields: RecordFields = {
  in_trash: { label: 'In the trash' },
  ...sessionWords,
  contact: { label: 'Contact' },
  call: { label: 'Call' },
  call_note: { label: 'Call note' },
  mail: { label: 'Email' },
  mail_to: { label: 'To' },
  organization: { label: 'Organization' },
  organization_name: { label: 'Organization' },
}

/** Texts of a lead are plain: unlike formatted text, they keep what looks like a tag or a date. */
const plain = (value: unknown) => (typeof value === 'string' ? value : formatFieldValue({}, '', value))

/** Returns each field's label and formatter, for the shared record components. */
export function useLeadWords(): RecordFields {
  const options = useLeadOptions()
  const fields = withWords(leadFields, {
    status: byId(options.statuses),
    reject_reason_id: byId(options.reject_reasons),
    color: byId(options.colors),
    assign_to: byId(options.staff),
    lead_for: byId(options.products),
    tag_ids: byId(options.tags),
  })
  return Object.fromEntries(
    Object.entries({ ...fields, ...otherFields, ...customWords(options.custom_fields) }).map(
      ([name, field]) => [name, field.words || name.endsWith('_date') ? field : { ...field, words: plain }],
    ),
  )
}
