import { useState } from 'react'
import { IncidentAnswer, incidents } from '#features/crm/support/incidents.contract.ts'
import { ticketQueries } from '#features/crm/support/web/ticketWords.tsx'
import { useIsEmailOn } from '#features/crm/support/web/useTicket.ts'
import { useSend } from '#web/api/useSend.ts'
import { useDraftForm, type DraftForm } from '#web/form/useDraftForm.ts'
import { toast } from '#web/message/toast.ts'

const empty = {
  message: '',
  file_ids: [] as number[],
  status: '',
  /** Texts of single tickets. */
  texts: [] as { ticket_id: number; message: string }[],
}
export type AnswerValues = typeof empty

/** Name of the draft of an answer to an incident's tickets. */
export const answerDraft = (incident: number) => `incident-answer-${incident}`

interface Sent {
  mail_ids: number[]
  seconds: number
  values: AnswerValues
}

/** Returns the form of an answer to all, what was sent last, and a function that also sets a status on all. */
export function useIncidentAnswer(ticket: number, ids: readonly number[]) {
  const isEmailOn = useIsEmailOn(ticket)
  const [sent, setSent] = useState<Sent>()
  const { send } = useSend(incidents.answer, { refresh: ticketQueries, failure: 'throw' })
  const toSend = ({ message, file_ids, status, texts }: AnswerValues) => ({
    message,
    file_ids,
    ticket_ids: [...ids],
    ...(texts.length > 0 ? { texts } : {}),
    ...(status === '' ? {} : { status: Number(status) }),
  })
  const form: DraftForm<AnswerValues> = useDraftForm({
    name: answerDraft(ticket),
    initial: empty,
    schema: IncidentAnswer,
    saveVerb: 'Send',
    toSend,
    onSave: async (values) => {
      const reply = await send({ params: { ticket }, body: toSend(values) })
      if (!reply) return
      const out = reply.left_out.map((one) => ` Left out: #${one.id} ${one.title}. ${one.why}`).join('')
      const words = isEmailOn ? reply.message : 'Replies saved. They will be sent once email is set up.'
      toast.notice(words + out)
      setSent({
        mail_ids: reply.data.sent.map(({ mail_id }) => mail_id),
        seconds: reply.data.undo_seconds,
        values,
      })
      form.discardSent(values)
    },
  })
  const sendWith = (status: number) => {
    form.fields.setFieldValue('status', String(status))
    void form.submit()
  }
  return { form, sent, sendWith, isEmailOn }
}
