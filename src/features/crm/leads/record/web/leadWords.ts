import type { LeadOptions } from '#features/crm/leads/contract.ts'
import { demoStatuses } from '#features/crm/leads/demos.rules.ts'
import { leadFields } from '#features/crm/leads/fields.ts'
import { customWords } from '#features/crm/leads/record/web/customValues.ts'
import { minutesText } from '#shared/appointments.contract.ts'
import { byName } from '#shared/field.ts'
import { byId, formatFieldValue, withWords, type RecordFields } from '#web/record/fieldWords.ts'
import { fullTime } from '#web/time.ts'

const instant = (value: unknown) => fullTime(String(value))

/** Parts of the history of a lead that are not its fields: its sessions, its calls, its emails, and its organization. */
const otherFields: RecordFields = {
  in_trash: { label: 'In the trash' },
  session: { label: 'Session', isHiddenInHistory: true },
  session_type: { label: 'Session' },
  session_requested: { label: 'Requested time', words: instant },
  schedule_comment: { label: 'Request comment' },
  session_final: { label: 'Scheduled time', words: instant },
  final_comment: { label: 'Schedule comment' },
  received_date: { label: 'Request received' },
  session_minutes: { label: 'Length', words: (minutes) => minutesText(Number(minutes)) },
  session_hosts: { label: 'Led by' },
  session_place: { label: 'Place or link' },
  session_guests: { label: 'Guests' },
  session_status: { label: 'Session status', words: byName(demoStatuses) },
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
export const leadWords = (options: LeadOptions): RecordFields => {
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
