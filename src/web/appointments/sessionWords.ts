import { demoStatuses, minutesText } from '#shared/appointments.contract.ts'
import { byName } from '#shared/field.ts'
import type { RecordFields } from '#web/record/fieldWords.ts'
import { fullTime } from '#web/time.ts'

const instant = (value: unknown) => fullTime(String(value))

/** A session in the history of its record. */
export const sessionWords: RecordFields = {
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
}
